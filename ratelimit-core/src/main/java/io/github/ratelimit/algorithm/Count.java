package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Count of the units that one key has taken from one limit, including those of calls that
 * wait for their turn. Times are microseconds of the store's clock. Not thread-safe: the
 * store guards it.
 *
 * <p>
 * A call first {@linkplain #advance(Limit, long) advances} the count to its time. All
 * other methods refer to that time. Advancing does not change what is stored; taking,
 * refunding and correcting do.
 *
 * <p>
 * The limit is a parameter, because calls of one key may have different ones: a rule
 * changes, has plans, or differs between instances. The state contains the numbers that
 * its units were counted by: a rate or a period. They determine when units come back. The
 * capacity belongs to the call alone. A call by a shorter period is judged by the units
 * that have come back by neither of both periods. Only an admitted call converts the
 * state to its own numbers. A denied one usually changes nothing, and is admitted after
 * its wait although the state does not contain it.
 *
 * <p>
 * Only this class deals with waiting. A call that waits is counted at the time at which
 * it goes on. The state is then {@code ahead} of the clock, as it was at
 * {@code writtenAt}, and later calls are decided as of that time, so no call overtakes
 * another. Without {@code writtenAt}, a state ahead of the clock would look like one
 * whose clock was set back. If the clock is set back, the queue stays as far ahead of it
 * as before. Algorithms see later calls: a state is advanced to the time {@code at}.
 *
 * @since 0.1.0
 */
public abstract class Count implements Cloneable {

	/** The {@link #waitFor wait} of a call that can never be admitted. */
	public static final long NEVER = -1;

	/**
	 * The {@link #waitFor wait} of a call that is admitted as soon as other calls end, at
	 * an unknown time. It is longer than any wait that a call may accept.
	 */
	public static final long UNKNOWN = 1L << 52;

	/**
	 * When the units were counted that were taken last by calls that do not wait any
	 * more. It is later than any time.
	 */
	public static final long NEWEST = Long.MAX_VALUE;

	/**
	 * The most units that a window or bucket holds with those that are owed. With the
	 * cost of another call, they fit in the four bytes of the stored form with a bit to
	 * spare.
	 */
	static final long MOST_OWED = 1L << 30;

	private static final int FORM = 1;

	/**
	 * The time of the clock. Units that have not expired by then are kept, since they
	 * count again if a waiting call is {@linkplain #refund refunded}.
	 */
	long now;

	/** The time that the state is advanced to: {@link #now} or later. */
	long at;

	/**
	 * The time since which the state knows all calls that were counted. Units of earlier
	 * calls do not count: they have expired, a call with other numbers has dropped them,
	 * or the key was reset. So they are neither refunded nor owed, and a queue does not
	 * go back to before that time. Every state has it, also one whose numbers never
	 * change: a call that finds nothing counted shows that earlier ones do not count,
	 * although the state of their numbers may have expired unseen.
	 */
	long knownSince;

	/** The limit of the call that changed the state last, {@code null} if none counts. */
	@Nullable Limit changedUnder;

	/**
	 * Whether the state is refunded or owes units. The numbers of the limit of that call
	 * do not apply to the state then.
	 */
	boolean correcting;

	/**
	 * Whether the advanced state differs from the stored one because the clock was set
	 * back, or by the rate of a call. The next call that costs something corrects it.
	 */
	boolean corrected;

	private long writtenAt;

	private long ahead;

	private long storedKnownSince;

	private long wait;

	Count() {
	}

	/**
	 * Advance the count to the time of a call. A count that equals an unused one by the
	 * limit that changed it last is cleared, as Redis drops its key, and stays unused if
	 * the clock is set back or the period becomes longer.
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

	/** Advance the state anew, to be refunded or to owe units. */
	private void advanceForCorrection(Limit limit) {
		this.correcting = true;
		advanceStored(limit);
	}

	/** Advance to a time, and return whether nothing counts and no call waits then. */
	public final boolean isUnusedAt(long time) {
		Limit limit = this.changedUnder;
		if (limit == null) {
			return true;
		}
		advance(limit, time);
		return isUnusedNow();
	}

	/** Return whether nothing counts and no call waits, as in an unused count. */
	public final boolean isUnusedNow() {
		return this.at == this.now && isUnused();
	}

	/** Return the microseconds that the last waiting call waits, 0 if none does. */
	public final long longestWait() {
		return this.at - this.now;
	}

	/**
	 * Move back with a clock that was set back, before a call that costs something:
	 * consumed units stay consumed. A denied call does so as well, since each attempt
	 * would restart the wait otherwise.
	 */
	public final void moveBack(Limit limit) {
		boolean moves = this.corrected || this.ahead > 0 && this.now < this.writtenAt;
		if (this.corrected) {
			this.corrected = false;
			correct();
		}
		if (moves) {
			stamp(limit);
		}
	}

	private void advanceTo(Limit limit, long time) {
		if (time > this.at) {
			this.at = time;
			advanceStored(limit);
		}
	}

	private void stamp(Limit limit) {
		this.writtenAt = this.now;
		this.ahead = this.at - this.now;
		this.storedKnownSince = this.knownSince;
		this.changedUnder = limit;
	}

	/** Restore what was noted of a state without a queue. */
	final void restore(Limit limit, long changed, long known) {
		this.writtenAt = changed;
		this.storedKnownSince = known;
		this.changedUnder = limit;
	}

	/** Return whether {@link #restore} restores what was noted of the state. */
	final boolean isRestorable(Limit limit, long changed) {
		return this.ahead == 0 && this.writtenAt == changed && this.changedUnder != null
				&& this.changedUnder.rate().equals(limit.rate());
	}

	/** Return when the count was changed last, meaningless if nothing counts. */
	public final long changedAt() {
		return this.writtenAt;
	}

	/** Return since when all counted calls are known, meaningless if nothing counts. */
	public final long callsKnownSince() {
		return this.storedKnownSince;
	}

	/** Return whether calls have waited when the state was stored. */
	final boolean isAhead() {
		return this.ahead > 0;
	}

	/**
	 * Set the call whose units are taken or refunded next. Only slots belong to calls.
	 * @param call the number of the call, 0 for none
	 */
	public void of(int call) {
	}

	/**
	 * Return how long a call has to wait.
	 * @param cost the units the call takes, 0 or more
	 * @return the microseconds until it is admitted, 0 if it is admitted at once or costs
	 * nothing, {@link #UNKNOWN} if other calls have to end first, or {@link #NEVER} if it
	 * costs more than the limit can hold
	 */
	public final long waitFor(Limit limit, long cost) {
		this.wait = (cost == 0) ? 0 : (cost > limit.capacity()) ? NEVER : retryAfter(limit, cost);
		if (cost > 0 && this.wait != NEVER) {
			this.wait += longestWait();
		}
		return this.wait;
	}

	/** Return the last result of {@link #waitFor}. */
	public final long lastWait() {
		return this.wait;
	}

	/**
	 * Count an admitted call.
	 * @param cost the units the call takes, 1 or more
	 * @param wait how long it waits before it goes on, {@link #waitFor} or more
	 */
	public final void take(Limit limit, long cost, long wait) {
		moveBack(limit);
		advanceTo(limit, this.now + wait);
		convert(limit);
		take(limit, cost);
		stamp(limit);
	}

	/**
	 * Count a denied call, if the limit has {@link Limit#countDenied()}.
	 * @param cost the units of the call, from 1 to what the limit can hold
	 */
	public final void countDenied(Limit limit, long cost) {
		moveBack(limit);
		takeDenied(limit, cost);
		stamp(limit);
	}

	/**
	 * Refund units, as many as still count. A call that still waits gives up its turn.
	 * The last turn of the queue becomes free for others. Any other turn passes unused,
	 * since the calls behind it keep their turns, and nothing changes.
	 * @param cost the number of units, 1 or more
	 * @param countedAt the time at which they were counted, or {@link #NEWEST}
	 * @return {@code false} if a turn passes unused
	 */
	public final boolean refund(Limit limit, long cost, long countedAt) {
		boolean turn = countedAt > this.now && countedAt < NEWEST;
		if (turn && countedAt != this.at) {
			return false;
		}
		advanceForCorrection(limit);
		moveBack(limit);
		long end = refund(limit, cost, (countedAt < NEWEST) ? countedAt : 0,
				Math.min(countedAt, turn ? this.at : this.now));
		if (turn) {
			this.at = Math.max(this.now, end);
		}
		advance(limit);
		stamp(limit);
		return true;
	}

	/**
	 * Count units that a call took beyond those it was admitted with, regardless of the
	 * limit, as if it had taken them then. Nothing changes if its window is over, or if
	 * the count equals an unused one although the call has taken units.
	 * @param limit the limit, whose algorithm {@linkplain Algorithm#hasDebt() has a debt}
	 * @param units the number of units, 1 or more; with them, a window holds
	 * 1,073,741,824 at most, and a bucket what it refills in ten years
	 * @param countedAt the time at which the call was counted
	 */
	public final void owe(Limit limit, long units, long countedAt, boolean first) {
		if (!first && isUnusedNow()) {
			return;
		}
		advanceForCorrection(limit);
		moveBack(limit);
		if (owe(units, Math.min(countedAt, this.at), first)) {
			advance(limit);
			stamp(limit);
		}
	}

	/**
	 * Count units that were admitted elsewhere, as many as fit. They count as if they
	 * were taken now or, if calls wait here or there, when the last of them goes on.
	 * @param units the number of units, 1 or more
	 * @param wait how long the last call waits that was admitted elsewhere
	 * @return how many were counted
	 */
	public final long charge(Limit limit, long units, long wait) {
		moveBack(limit);
		long turn = Math.max(this.at, this.now + wait);
		if (limit.capacity() > 0 && this.at + retryAfter(limit, 1) > turn) {
			return 0;
		}
		advanceTo(limit, turn);
		long fitting = Math.min(units, remaining(limit));
		take(limit, fitting, turn - this.now);
		return fitting;
	}

	/**
	 * Return how many units count beyond those of an earlier copy, when the last waiting
	 * call goes on.
	 * @param earlier the copy, advanced to the same time; it is advanced further
	 * @return the units, 0 if more were refunded since than taken
	 */
	public final long usedSince(Limit limit, Count earlier) {
		if (isHeldByCalls()) {
			return 0;
		}
		earlier.advanceTo(limit, this.at);
		return Math.max(0, counted(limit) - earlier.counted(limit));
	}

	/**
	 * Set whether calls may be settled when others have been counted since. Then a bucket
	 * records its newest takes.
	 */
	public void setSettled(boolean settled) {
	}

	/**
	 * Return whether units belong to calls that have not ended, as slots do, so that no
	 * other store can count them.
	 */
	public boolean isHeldByCalls() {
		return false;
	}

	/**
	 * Renew the lease of a {@linkplain #of call} that runs, and take its units unless it
	 * holds them. Only slots belong to calls.
	 * @return whether it holds them; {@code false} if too few are free
	 */
	public boolean hold(Limit limit, long cost) {
		return true;
	}

	/**
	 * Return whether more units count than the limit can hold: some are owed, or the
	 * limit was lowered.
	 * @return {@code false} if the algorithm has no debts
	 */
	public final boolean isOverdrawn() {
		Limit limit = this.changedUnder;
		return limit != null && limit.algorithm().hasDebt() && used(limit) > limit.capacity();
	}

	/** Return the units that can be taken now, 0 while calls wait. */
	public final long remainingNow(Limit limit) {
		return (this.at > this.now) ? 0 : remaining(limit);
	}

	/** Return the microseconds until this count equals an unused one, 0 if it does. */
	public final long resetAfterNow() {
		return longestWait() + resetAfter();
	}

	public Count copy() {
		try {
			return (Count) clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Return the bytes of this count, for a store that keeps it outside this process. */
	public final byte[] toBytes() {
		StateOutput bytes = new StateOutput();
		bytes.number(FORM);
		bytes.number(this.writtenAt);
		bytes.number(this.ahead);
		bytes.number(this.writtenAt - this.storedKnownSince);
		write(bytes);
		return bytes.toBytes();
	}

	/**
	 * Restore a count from its bytes, as one that the limit has changed last: by whose
	 * limit that was, matters only to states that have its numbers. This count is a new
	 * one of the same type.
	 * @param limit the limit of the call that needs the count
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	public final void restore(byte[] bytes, Limit limit) {
		StateInput from = new StateInput(bytes);
		from.form(FORM);
		this.writtenAt = from.time();
		this.ahead = from.number(0, StateInput.LONGEST);
		this.storedKnownSince = this.writtenAt - from.time();
		this.changedUnder = limit;
		read(from, limit);
		from.end();
	}

	/** Advance the stored state to the time {@link #at}. */
	abstract void advance(Limit limit);

	/**
	 * Return how long a call has to wait.
	 * @param cost the units the call takes, from 1 to what the limit can hold
	 * @return the microseconds until it is admitted, 0 if it is admitted at once, or
	 * {@link #UNKNOWN} if other calls have to end first
	 */
	abstract long retryAfter(Limit limit, long cost);

	/**
	 * Make the state one of the limit's numbers, before an admitted call is counted.
	 * Units that have come back by {@link #at} do not count again, and their calls are
	 * not {@linkplain #knownSince known} any more.
	 */
	abstract void convert(Limit limit);

	/**
	 * Count an admitted call.
	 * @param limit the limit, which the state was {@linkplain #convert converted} to
	 * @param cost the units the call takes, 1 or more; {@link #retryAfter} is 0 for it
	 */
	abstract void take(Limit limit, long cost);

	/**
	 * Count a denied call, if the limit has {@link Limit#countDenied()}. Only some
	 * algorithms can have such limits.
	 * @param cost the units of the call, from 1 to {@code max}
	 */
	void takeDenied(Limit limit, long cost) {
		throw new UnsupportedOperationException(limit + " does not count denied calls");
	}

	/**
	 * Return whether some units of a span of time may belong to calls that still wait. It
	 * is unknown which of them do, so none of them is refunded. Of a single moment, none
	 * may.
	 */
	final boolean mayWait(long from, long to) {
		return from < to && to < this.at;
	}

	/**
	 * Remove units that were counted, the newest first, as many as still count. Units
	 * that have expired or been refilled, units of other times, and units that
	 * {@linkplain #mayWait may belong} to waiting calls stay, and so do all units if
	 * {@code to} is not {@linkplain #knownSince known}.
	 * @param cost the number of units, 1 or more
	 * @param from the earliest time at which they may have been counted; if the last turn
	 * of the queue is given up, {@link #at}, which is after {@link #now} then
	 * @param to the latest time at which they may have been counted
	 * @return if the last turn of the queue is given up, the time to go back to: that of
	 * the turn before it, or later
	 */
	abstract long refund(Limit limit, long cost, long from, long to);

	/**
	 * Count units that an admitted call took beyond those it was admitted with,
	 * regardless of the limit, as if it had taken them then. Only some algorithms have
	 * such a debt, see {@link Algorithm#hasDebt()}.
	 * @param units the number of units, 1 or more; with them, a window or bucket holds
	 * {@link #MOST_OWED} at most
	 * @param countedAt the time at which the call was counted, {@link #at} at the latest
	 * @param first whether the call had taken nothing
	 * @return {@code false} if the window of the call is over, or if its units are not
	 * {@linkplain #knownSince known}, so that nothing changes
	 */
	boolean owe(long units, long countedAt, boolean first) {
		throw new UnsupportedOperationException(getClass().getSimpleName() + " has no debt");
	}

	/** Return a number of units with those that are owed, or the largest possible one. */
	static long owed(long units, long more, long most) {
		return (more <= most - units) ? units + more : Math.max(units, most);
	}

	/**
	 * Correct the stored state before a call that costs something, if it has to be
	 * {@linkplain #corrected corrected}. If the clock was set back behind the last
	 * admission, the state moves back with it, so that consumed units stay consumed and
	 * no call waits for the old time to return.
	 */
	abstract void correct();

	/** Return the units that can be taken at once. */
	final long remaining(Limit limit) {
		return Math.max(0, limit.capacity() - used(limit));
	}

	/** Return the units that count. Calls with a larger capacity may have taken more. */
	abstract long used(Limit limit);

	/** Return the units that another store can count. */
	long counted(Limit limit) {
		return used(limit);
	}

	/**
	 * Return the microseconds until the state equals an unused one, by the numbers that
	 * its units were counted by, 0 if it already does.
	 */
	abstract long resetAfter();

	/** Return whether the state equals an unused one: {@link #resetAfter} is 0. */
	boolean isUnused() {
		return resetAfter() == 0;
	}

	abstract void clear();

	/** Write what is stored, and nothing of the time that the state is advanced to. */
	abstract void write(StateOutput to);

	/** Read what {@link #write} has written, into an unused state. */
	abstract void read(StateInput from, Limit limit);

}
