package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * Reconciliation of a count with the count that another store keeps of the same key:
 * units that one store has admitted are charged to the other.
 *
 * @param count the count, advanced to the time of the reconciliation
 * @param limit its limit
 * @since 0.1.0
 */
public record Reconciliation(Count count, Limit limit) {

	/**
	 * Count units that were admitted elsewhere, as many as fit. They count as if they
	 * were taken now or, if calls wait here or there, when the last of them goes on.
	 * @param units the number of units, 1 or more
	 * @param wait how long the last call waits that was admitted elsewhere
	 * @return the number of units that are counted
	 */
	public long charge(long units, long wait) {
		long turn = Math.max(this.count.at, this.count.now + wait);
		if (this.count.at + this.count.retryAfter(this.limit, 1) > turn) {
			return 0;
		}
		this.count.advanceTo(this.limit, turn);
		long fitting = Math.min(units, this.count.remaining(this.limit));
		this.count.take(this.limit, fitting, turn - this.count.now);
		return fitting;
	}

	/**
	 * Return how many units count beyond those of an earlier copy of this count, when the
	 * last waiting call goes on.
	 * @param earlier the copy, advanced to the same time; it is advanced further
	 * @return the units, 0 if more were refunded since than taken
	 */
	public long usedSince(Count earlier) {
		if (this.count.isHeldByCalls()) {
			return 0;
		}
		earlier.advanceTo(this.limit, this.count.at);
		return Math.max(0, this.count.counted(this.limit) - earlier.counted(this.limit));
	}

}
