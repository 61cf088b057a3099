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
 * refunding and correcting do. The limit is a parameter of every method, because it may
 * change between calls.
 */
abstract class LimitState {

	/**
	 * The {@link #retryAfter} of a call that can never be admitted.
	 */
	static final long NEVER = Count.NEVER;

	/**
	 * The most units that a state holds with those that are owed. With the cost of
	 * another call, they fit in the four bytes of the stored form with a bit to spare.
	 */
	static final long MOST_OWED = 1L << 30;

	/**
	 * The time of the clock. Units that have not expired by then are kept, since they
	 * count again if a waiting call is {@linkplain #refund refunded}.
	 */
	long now;

	/**
	 * The time that the state is advanced to: {@link #now} or later.
	 */
	long at;

	/**
	 * Advance the stored state to the time {@link #at}.
	 * @param limit the limit
	 */
	abstract void advance(Limit limit);

	/**
	 * Return how long a call has to wait.
	 * @param limit the limit
	 * @param cost the units the call takes, 1 or more
	 * @return the microseconds until it is admitted, 0 if it is admitted at once, or
	 * {@link #NEVER} if it costs more than the limit can hold
	 */
	abstract long retryAfter(Limit limit, long cost);

	/**
	 * Count an admitted call.
	 * @param limit the limit
	 * @param cost the units the call takes, 1 or more; {@link #retryAfter} is 0 for it
	 */
	abstract void take(Limit limit, long cost);

	/**
	 * Count a denied call, if the limit has {@link Limit#countDenied()}. Only some
	 * algorithms can have such limits.
	 * @param limit the limit
	 * @param cost the units of the call, from 1 to {@code max}
	 * @param max the most units that the call may be admitted with
	 */
	void takeDenied(Limit limit, long cost, long max) {
		throw new UnsupportedOperationException(limit + " does not count denied calls");
	}

	/**
	 * Return whether some units of a span of time may belong to calls that still wait. It
	 * is unknown which of them do, so none of them is refunded.
	 * @param from the beginning of the span
	 * @param to its end
	 * @return {@code false} if no call waits, or if the span is a single moment
	 */
	final boolean mayWait(long from, long to) {
		return from < to && to < this.at;
	}

	/**
	 * Remove units that were counted, the newest first, as many as still count. Units
	 * that have expired or been refilled, units of other times, and units that
	 * {@linkplain #mayWait may belong} to waiting calls stay.
	 * @param limit the limit
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
	 * @param limit the limit
	 * @param units the number of units, 1 or more; a state holds {@link #MOST_OWED} at
	 * most
	 * @param slot the time at which the call was counted, {@link #at} at the latest
	 * @param capacity the capacity by which the call was judged
	 * @param first whether the call had taken nothing
	 * @return {@code false} if the window of the call is over, so that nothing changes
	 */
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		throw new UnsupportedOperationException(limit + " has no debt");
	}

	/**
	 * Return a number of units with those that are owed.
	 * @param units the units that count
	 * @param more the units that are owed
	 * @param most the units that may count afterwards
	 * @return the sum, or the largest possible one
	 */
	static long owed(long units, long more, long most) {
		return (more <= most - units) ? units + more : Math.max(units, most);
	}

	/**
	 * Count the newest units as of {@link #at}, so that they expire no earlier than units
	 * taken then. Their number does not change. Does nothing in states whose units do not
	 * expire by age.
	 * @param limit the limit
	 * @param units the number of units, from 1 to those that count
	 */
	void renewNewest(Limit limit, long units) {
	}

	/**
	 * Correct the stored state before a call that costs something. If the clock was set
	 * back behind the last admission, the state moves back with it, so that consumed
	 * units stay consumed and no call waits for the old time to return. If the limit was
	 * lowered, the state holds no more than the limit can hold. If units count for longer
	 * than before, they do so from now on.
	 * @param limit the limit
	 * @return whether the state was corrected
	 */
	abstract boolean correct(Limit limit);

	/**
	 * Store the advanced state if another limit was in force before. Called before the
	 * state is advanced to a later time.
	 * @param limit the limit
	 */
	void follow(Limit limit) {
	}

	/**
	 * Return the units that can be taken at once.
	 * @param limit the limit
	 * @return the units left
	 */
	abstract long remaining(Limit limit);

	/**
	 * Return whether the state evolves alike by two limits, regardless of their
	 * capacities.
	 */
	boolean evolvesAlike(Limit limit, Limit other) {
		return limit.periodMicros() == other.periodMicros();
	}

	/**
	 * Return the units that count against the capacity.
	 * @param limit the limit that the state was last changed under
	 * @return the units, more than the capacity if a larger one was in force before
	 */
	long used(Limit limit) {
		return limit.capacity() - remaining(limit);
	}

	/**
	 * Return the units that count.
	 */
	final long counted(Limit limit) {
		return counted(limit, remaining(limit));
	}

	/**
	 * Return the units that count if some number of them is left.
	 * @param limit the limit
	 * @param left the units left
	 * @return the units that count
	 */
	long counted(Limit limit, long left) {
		return Math.max(0, limit.capacity() - left);
	}

	/**
	 * Return when the state equals an unused one.
	 * @param limit the limit
	 * @return the microseconds until then, 0 if it already does
	 */
	abstract long resetAfter(Limit limit);

	/**
	 * Return whether the state equals an unused one.
	 * @param limit the limit
	 * @return whether {@link #resetAfter} is 0
	 */
	boolean isUnused(Limit limit) {
		return resetAfter(limit) == 0;
	}

	/**
	 * Forget everything.
	 */
	abstract void clear();

}
