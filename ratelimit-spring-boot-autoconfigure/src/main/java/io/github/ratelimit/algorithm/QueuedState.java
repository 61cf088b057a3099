package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * State with the queue of the calls that wait for their turn.
 *
 * <p>
 * A call that waits is counted at the time at which it goes on. The state is then
 * {@code ahead} of the clock, as it was at {@code writtenAt}, and later calls are decided
 * as of that time, so no call overtakes another. If the clock is set back, the queue
 * stays as far ahead of it as before.
 */
abstract class QueuedState extends GovernedState {

	private long writtenAt;

	private long ahead;

	/**
	 * Advance the count to the time of a call. A count that equaled an unused one, by the
	 * limit that it was last changed under, is cleared, regardless of the present limit
	 * and clock.
	 * @param limit the limit
	 * @param time the time of the clock
	 */
	public final void advance(Limit limit, long time) {
		this.now = time;
		this.at = time + Math.max(0, this.ahead - Math.max(0, time - this.writtenAt));
		Limit known = (this.changedUnder != null) ? this.changedUnder : limit;
		advance(known);
		if (this.changedUnder != null && isUnusedNow(known)) {
			this.changedUnder = null;
			this.ahead = 0;
			clear();
			advance(limit);
		}
		else if (known != limit && governing(limit) == limit) {
			advance(limit);
		}
	}

	/**
	 * Return whether this count equals an unused one at some time, by the limit that it
	 * was last changed under.
	 * @param time the time of the clock; the count is advanced to it
	 * @return {@code true} if nothing counts and no call waits
	 */
	public final boolean isUnusedAt(long time) {
		Limit limit = this.changedUnder;
		if (limit == null) {
			return true;
		}
		advance(limit, time);
		return isUnusedNow(limit);
	}

	/**
	 * Return whether this count equals an unused one.
	 * @param limit the limit
	 * @return {@code true} if nothing counts and no call waits
	 */
	public final boolean isUnusedNow(Limit limit) {
		return this.at == this.now && isUnused(governing(limit));
	}

	/**
	 * Return whether this count was last changed at some time of the clock.
	 * @param time the time
	 * @return {@code false} if nothing counts
	 */
	public final boolean wasChangedAt(long time) {
		return this.changedUnder != null && this.writtenAt == time;
	}

	/**
	 * Return how long the last waiting call has to wait.
	 * @return the microseconds, 0 if no call waits
	 */
	public final long longestWait() {
		return this.at - this.now;
	}

	/**
	 * Correct the count before a call that costs something: if the clock was set back,
	 * consumed units stay consumed; if the limit was lowered, the count holds no more
	 * than the limit can hold; if units count for longer than before, they do so from now
	 * on. Calls of different plans that share a count correct it for the clock alone.
	 * @param limit the limit
	 * @return whether the count was corrected
	 */
	public final boolean settle(Limit limit) {
		boolean setBack = this.ahead > 0 && this.now < this.writtenAt;
		Limit governing = governing(limit);
		if (!correct(governing) && !setBack) {
			return false;
		}
		follow(governing);
		stamp(governing);
		return true;
	}

	/**
	 * Advance the state to the time at which a waiting call goes on.
	 */
	final void goOn(Limit limit, long time) {
		if (time > this.at) {
			follow(governing(limit));
			advanceTo(governing(limit), time);
		}
	}

	/**
	 * Advance the state to a later time.
	 */
	final void advanceTo(Limit limit, long time) {
		if (time > this.at) {
			this.at = time;
			advance(limit);
		}
	}

	/**
	 * Advance a copy of another count to the time of that, by the limit that the other
	 * one evolves by. The copy does not change what it has stored.
	 */
	final void advanceUnder(Limit governing, long time) {
		if (time > this.at || this.underPlans) {
			this.at = Math.max(this.at, time);
			advance(governing);
		}
	}

	/**
	 * Note that the state was changed.
	 */
	final void stamp(Limit limit) {
		this.writtenAt = this.now;
		this.ahead = this.at - this.now;
		this.changedUnder = limit;
	}

}
