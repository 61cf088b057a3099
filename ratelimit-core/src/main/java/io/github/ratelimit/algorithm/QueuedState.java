package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * State with the queue of the calls that wait for their turn.
 *
 * <p>
 * A call that waits is counted at the time at which it goes on. The state is then
 * {@code ahead} of the clock, as it was at {@code writtenAt}, and later calls are decided
 * as of that time, so no call overtakes another. Without {@code writtenAt}, a state ahead
 * of the clock would look like one whose clock was set back. If the clock is set back,
 * the queue stays as far ahead of it as before.
 */
abstract class QueuedState extends LimitState {

	/**
	 * The limit of the call that changed the state last, {@code null} if nothing counts.
	 */
	@Nullable Limit changedUnder;

	/**
	 * Whether the state is refunded or owes units. The numbers of the limit of that call
	 * do not apply to the state then.
	 */
	boolean correcting;

	private long writtenAt;

	private long ahead;

	private long storedKnownSince;

	/**
	 * Advance the count to the time of a call. A count that equals an unused one by the
	 * limit that changed it last is cleared, as Redis drops its key, and stays unused if
	 * the clock is set back or the period becomes longer.
	 * @param limit the limit of the call
	 * @param time the time of the clock
	 */
	public final void advance(Limit limit, long time) {
		this.now = time;
		this.correcting = false;
		this.at = time + Math.max(0, this.ahead - Math.max(0, time - this.writtenAt));
		advanceStored(limit);
		if (this.changedUnder != null && isUnusedNow()) {
			this.changedUnder = null;
			this.ahead = 0;
			clear();
			advanceStored(limit);
		}
	}

	private void advanceStored(Limit limit) {
		this.knownSince = (this.changedUnder != null) ? Math.min(this.storedKnownSince, this.at) : this.now;
		advance(limit);
	}

	/**
	 * Advance the state anew, to be refunded or to owe units.
	 */
	final void advanceForCorrection(Limit limit) {
		this.correcting = true;
		advanceStored(limit);
	}

	/**
	 * Return whether this count equals an unused one at some time.
	 * @param time the time of the clock; the count is advanced to it
	 * @return {@code true} if nothing counts and no call waits
	 */
	public final boolean isUnusedAt(long time) {
		Limit limit = this.changedUnder;
		if (limit == null) {
			return true;
		}
		advance(limit, time);
		return isUnusedNow();
	}

	/**
	 * Return whether this count equals an unused one.
	 * @return {@code true} if nothing counts and no call waits
	 */
	public final boolean isUnusedNow() {
		return this.at == this.now && isUnused();
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
	 * consumed units stay consumed. A denied call does so as well, since each attempt
	 * would restart the wait otherwise.
	 * @param limit the limit of the call
	 */
	public final void settle(Limit limit) {
		boolean setBack = this.ahead > 0 && this.now < this.writtenAt;
		if (correct() || setBack) {
			stamp(limit);
		}
	}

	/**
	 * Advance the state to a later time.
	 */
	final void advanceTo(Limit limit, long time) {
		if (time > this.at) {
			this.at = time;
			advanceStored(limit);
		}
	}

	/**
	 * Note that the state was changed.
	 */
	final void stamp(Limit limit) {
		this.writtenAt = this.now;
		this.ahead = this.at - this.now;
		this.storedKnownSince = this.knownSince;
		this.changedUnder = limit;
	}

	/**
	 * Restore what was noted of a state without a queue.
	 */
	final void restore(Limit limit, long changed, long known) {
		this.writtenAt = changed;
		this.storedKnownSince = known;
		this.changedUnder = limit;
	}

	/**
	 * Return whether {@link #restore} restores what was noted of the state.
	 */
	final boolean isRestorable(Limit limit, long changed) {
		return this.ahead == 0 && this.writtenAt == changed && this.changedUnder != null
				&& this.changedUnder.rate().equals(limit.rate());
	}

	/**
	 * Return when the count was changed last.
	 * @return the time of the clock, meaningless if nothing counts
	 */
	public final long changedAt() {
		return this.writtenAt;
	}

	/**
	 * Return the time since which all calls that were counted are known.
	 * @return the time, meaningless if nothing counts
	 */
	public final long callsKnownSince() {
		return this.storedKnownSince;
	}

	/**
	 * Write the state with its queue.
	 */
	final void writeStored(StateOutput to) {
		to.number(this.writtenAt);
		to.number(this.ahead);
		to.number(this.writtenAt - this.storedKnownSince);
		write(to);
	}

	/**
	 * Return whether calls have waited when the state was stored.
	 */
	final boolean isAhead() {
		return this.ahead > 0;
	}

	/**
	 * Read the state with its queue, as one that the limit has changed last. By whose
	 * limit that was, matters only to states that have its numbers.
	 */
	final void readStored(StateInput from, Limit limit) {
		this.writtenAt = from.time();
		this.ahead = from.number(0, StateInput.LONGEST);
		this.storedKnownSince = this.writtenAt - from.time();
		this.changedUnder = limit;
		read(from, limit);
	}

}
