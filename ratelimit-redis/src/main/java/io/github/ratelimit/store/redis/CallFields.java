package io.github.ratelimit.store.redis;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;

import org.jspecify.annotations.Nullable;

/**
 * Fields of a script call that differ from call to call, see {@code calls.lua}. The other
 * ones are those of the rule.
 *
 * @param demand the index of the demand in the call; 1 for the debt of a call that had
 * taken nothing
 * @param cost the cost of a call that is decided or peeked
 * @param time the time of the demand
 * @param ahead how far ahead of the clock the call may be counted
 * @param call the number of the call, 0 if it holds nothing until it ends
 * @param fetch the portion that the call fetches
 * @param correction the correction, {@code null} for a call
 */
record CallFields(int demand, long cost, long time, long ahead, int call, Fetch fetch,
		@Nullable Correction correction) {

	CallFields(int demand, long cost, long wait, int call, Fetch fetch) {
		this(demand, cost, wait, wait, call, fetch, null);
	}

	static CallFields of(Correction correction) {
		Demand demand = correction.demand();
		long ahead = (correction.kind() == Kind.CHARGE) ? demand.maxWaitMicros() : 0;
		return new CallFields((correction.kind() == Kind.DEBT && correction.mayBeFirst()) ? 1 : 0, 0,
				(correction.kind() == Kind.CHARGE) ? ahead : correction.countedAt(), ahead, demand.call(),
				Fetch.NOTHING, correction);
	}

	long units(int index, CountSpec spec) {
		return (this.correction != null) ? this.correction.units(index) : spec.units(this.cost);
	}

	/** Return the time of the demand for what the call holds until it ends. */
	long timeOfEnd() {
		return (this.correction != null && this.correction.kind() == Kind.REFUND) ? Correction.NEWEST : 0;
	}

	/** Return 1 if the call may be a denial that counts for a ban, else 0. */
	long attempts() {
		return Math.min(1, this.cost);
	}

	/**
	 * Return the time at which the call was decided, if it was counted as of a later
	 * time: then the counts do not show whether its key was reset since. Else it does not
	 * matter, and is {@link Correction#NEWEST}.
	 */
	long decidedAt() {
		return (this.correction != null && this.correction.hasWaited()) ? this.correction.decidedAt()
				: Correction.NEWEST;
	}

}
