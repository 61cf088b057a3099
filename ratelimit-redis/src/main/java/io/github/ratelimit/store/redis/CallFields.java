package io.github.ratelimit.store.redis;

import java.time.Duration;

import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;

/**
 * Fields of a script call that differ from call to call, see {@code calls.lua}. The other
 * ones are those of the rule.
 */
interface CallFields {

	/**
	 * Return the units of a count.
	 * @param index the index of the count
	 */
	long units(int index, CountSpec spec);

	/**
	 * Return the number of the demand among those of the call.
	 */
	default int demand() {
		return 0;
	}

	/**
	 * Return the time of the demand.
	 */
	default long time() {
		return 0;
	}

	/**
	 * Return the time of the demand for slots.
	 */
	default long slotTime() {
		return 0;
	}

	/**
	 * Return how far ahead of the clock the call may be counted.
	 */
	default long ahead() {
		return 0;
	}

	/**
	 * Return whether the call may be a denial that counts for a ban.
	 * @return 1 if it may be, else 0
	 */
	default long attempts() {
		return 0;
	}

	/**
	 * Return the number of the call that holds slots, 0 for none.
	 */
	default int call() {
		return 0;
	}

	/**
	 * Return the portion that the call fetches.
	 */
	default Fetch fetch() {
		return Fetch.NOTHING;
	}

	/**
	 * Return the time at which the call was decided, if it was counted as of a later
	 * time: then the counts do not show whether its key was reset since.
	 * @return the time, or {@link Refund#NEWEST} if it does not matter
	 */
	default long decidedAt() {
		return Refund.NEWEST;
	}

	/**
	 * Fields of a call that is decided or peeked.
	 *
	 * @param time how long it may wait
	 */
	record Decided(int demand, long cost, long time, int call, Fetch fetch) implements CallFields {

		static Decided of(Demand demand, int index, Fetch fetch) {
			return new Decided(index, demand.cost(), demand.maxWaitMicros(), demand.call(), fetch);
		}

		@Override
		public long units(int index, CountSpec spec) {
			return spec.units(this.cost);
		}

		@Override
		public long ahead() {
			return this.time;
		}

		@Override
		public long attempts() {
			return Math.min(1, this.cost);
		}

	}

	/**
	 * Fields of a refund. The slots of its call are freed, however many they are. Units
	 * of a portion, which count as of its end, have been fetched at most its lifetime
	 * before.
	 */
	record Refunded(Demand refunded, long time, long decidedAt) implements CallFields {

		static Refunded of(Refund refund) {
			Duration prefetch = refund.demand().rule().prefetch();
			long fetchedBefore = (prefetch != null) ? prefetch.toNanos() / 1000 : 0;
			return new Refunded(refund.demand(), refund.slot(),
					refund.hasWaited() ? refund.decidedAt() - fetchedBefore : Refund.NEWEST);
		}

		@Override
		public long units(int index, CountSpec spec) {
			return spec.hasSlots() ? (this.refunded.holdsSlots() ? 1 : 0) : spec.units(this.refunded.cost());
		}

		@Override
		public long slotTime() {
			return Refund.NEWEST;
		}

		@Override
		public int call() {
			return this.refunded.call();
		}

	}

	/**
	 * Fields of a call that holds its slots.
	 */
	record Held(long cost, int call) implements CallFields {

		static Held of(Demand demand) {
			return new Held(demand.cost(), demand.call());
		}

		@Override
		public long units(int index, CountSpec spec) {
			return spec.hasSlots() ? this.cost : 0;
		}

	}

	/**
	 * Fields of a debt. The number of its demand is 1 if the call had taken nothing.
	 */
	record Owed(int demand, long cost, long time, long decidedAt) implements CallFields {

		static Owed of(Debt debt) {
			return new Owed(debt.first() ? 1 : 0, debt.demand().cost(), debt.slot(),
					debt.hasWaited() ? debt.decidedAt() : Refund.NEWEST);
		}

		@Override
		public long units(int index, CountSpec spec) {
			return spec.hasDebt() ? this.cost : 0;
		}

	}

	/**
	 * Fields of a charge.
	 *
	 * @param time the longest wait of a call that was counted
	 */
	record Charged(Charge charge, long time) implements CallFields {

		static Charged of(Charge charge) {
			return new Charged(charge, charge.longestWait());
		}

		@Override
		public long units(int index, CountSpec spec) {
			return this.charge.units().get(index);
		}

		@Override
		public long ahead() {
			return this.time;
		}

	}

}
