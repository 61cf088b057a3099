package io.github.ratelimit.store.redis;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;

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
	 * Return the time of the demand for what the call holds until it ends.
	 */
	default long timeOfEnd() {
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
	 * Return the number of the call, 0 if it holds nothing until it ends.
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
	 * @return the time, or {@link Correction#NEWEST} if it does not matter
	 */
	default long decidedAt() {
		return Correction.NEWEST;
	}

	/**
	 * Fields of a call that is decided or peeked.
	 *
	 * @param time how long it may wait
	 */
	record Decided(int demand, long cost, long time, int call, Fetch fetch) implements CallFields {

		/**
		 * Return the fields of a call of cost 1.
		 */
		static CallFields of(long time) {
			return new Decided(0, 1, time, 0, Fetch.NOTHING);
		}

		/**
		 * Return the fields of a call that runs and holds what it needs until it ends.
		 */
		static CallFields held(Demand demand) {
			return new Decided(0, demand.cost(), 0, demand.call(), Fetch.NOTHING);
		}

		static CallFields of(Demand demand, int index, Fetch fetch) {
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
	 * Fields of a correction. The number of its demand is 1 if it is the debt of a call
	 * that had taken nothing.
	 */
	record Corrected(Correction correction) implements CallFields {

		static CallFields of(Correction correction) {
			return new Corrected(correction);
		}

		@Override
		public long units(int index, CountSpec spec) {
			return this.correction.units(index);
		}

		@Override
		public int demand() {
			return (is(Kind.DEBT) && this.correction.mayBeFirst()) ? 1 : 0;
		}

		@Override
		public long time() {
			return is(Kind.CHARGE) ? ahead() : this.correction.countedAt();
		}

		@Override
		public long timeOfEnd() {
			return is(Kind.REFUND) ? Correction.NEWEST : 0;
		}

		@Override
		public long ahead() {
			return is(Kind.CHARGE) ? this.correction.demand().maxWaitMicros() : 0;
		}

		@Override
		public int call() {
			return this.correction.demand().call();
		}

		@Override
		public long decidedAt() {
			return this.correction.hasWaited() ? this.correction.decidedAt() : Correction.NEWEST;
		}

		private boolean is(Kind kind) {
			return this.correction.kind() == kind;
		}

	}

}
