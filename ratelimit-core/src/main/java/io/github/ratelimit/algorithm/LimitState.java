package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * State of one key under one limit, as an algorithm sees it. Times are microseconds of
 * the store's clock. Not thread-safe: the store guards it.
 *
 * <p>
 * The state is {@linkplain #advance advanced} to the time {@link #at} once per call, and
 * all other methods refer to that time. Advancing does not change what is stored; taking,
 * refunding and correcting do.
 *
 * <p>
 * The limit is a parameter, because calls of one key may have different ones: a rule
 * changes, has plans, or differs between instances. The state contains the numbers that
 * its units were counted by: a rate or a period. They determine when units come back. The
 * capacity belongs to the call alone. A call by a shorter period is judged by the units
 * that have come back by neither of both periods. Only an admitted call
 * {@linkplain #convert converts} the state to its own numbers. A denied one usually
 * changes nothing, and is admitted after its wait although the state does not contain it.
 */
abstract class LimitState {

	/** The {@link #retryAfter} of a call that can never be admitted. */
	static final long NEVER = Count.NEVER;

	/**
	 * The most units that a window or bucket holds with those that are owed. With the
	 * cost of another call, they fit in the four bytes of the stored form with a bit to
	 * spare.
	 */
	static final long MOST_OWED = 1L << 30;

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

	/** Advance the stored state to the time {@link #at}. */
	abstract void advance(Limit limit);

	/**
	 * Return how long a call has to wait.
	 * @param cost the units the call takes, 1 or more
	 * @return the microseconds until it is admitted, 0 if it is admitted at once, or
	 * {@link #NEVER} if it costs more than the limit can hold
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
	 * Correct the stored state before a call that costs something. If the clock was set
	 * back behind the last admission, the state moves back with it, so that consumed
	 * units stay consumed and no call waits for the old time to return.
	 * @return whether the state was corrected
	 */
	abstract boolean correct();

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
