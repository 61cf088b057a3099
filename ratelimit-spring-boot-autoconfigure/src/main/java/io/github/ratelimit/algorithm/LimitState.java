package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * What one key has taken from one limit, and what follows from it for a call. This is
 * what an algorithm has to know. Times are microseconds of the store's clock. Not
 * thread-safe: the store guards it.
 *
 * <p>
 * The state is {@linkplain #tell told} as of the time {@link #at}, once, and everything
 * else is asked and done as of then. What was told is stored when something was added,
 * taken out or corrected, and forgotten otherwise. The limit is given anew with every
 * call, so that a changed limit judges what was consumed under the old one.
 */
abstract class LimitState {

	/**
	 * The {@link #retryAfter} of a call that can never be admitted.
	 */
	static final long NEVER = Count.NEVER;

	/**
	 * The time of the clock. What is not yet over then is kept, because it counts again
	 * when a call that waits is {@linkplain #takeOut taken out}.
	 */
	long now;

	/**
	 * The time as of which the state is told, {@link #now} or later.
	 */
	long at;

	/**
	 * Tell what is stored as of the time {@link #at}, for what follows.
	 * @param limit the limit
	 */
	abstract void tell(Limit limit);

	/**
	 * How long the call has to wait.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more
	 * @return 0 if it is admitted then, {@link #NEVER} if it costs more than the limit
	 * can hold, else the microseconds until it would be
	 */
	abstract long retryAfter(Limit limit, long cost);

	/**
	 * Count an admitted call.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more, and {@link #retryAfter} is 0 for it
	 */
	abstract void add(Limit limit, long cost);

	/**
	 * Count a denied call, for a limit with {@link Limit#countDenied()}. Only algorithms
	 * that such a limit can have count it.
	 * @param limit the limit
	 * @param cost what the call takes, from 1 to what the limit can hold
	 */
	void addDenied(Limit limit, long cost) {
		throw new UnsupportedOperationException(limit + " does not count denied calls");
	}

	/**
	 * Whether units that are counted together with those of a span of time may be of
	 * calls that still wait. Nothing is taken out of these then: nobody knows how many of
	 * them are whose.
	 * @param from the beginning of the span
	 * @param to its end
	 * @return {@code false} if nobody waits, or the units of one time are meant
	 */
	final boolean mayWait(long from, long to) {
		return from < to && to < this.at;
	}

	/**
	 * Take out units that were counted, the newest first and as many as still count: none
	 * that came back by themselves, none of other times, and none that
	 * {@linkplain #mayWait may be} of calls that still wait.
	 * @param limit the limit
	 * @param cost how many units, 1 or more
	 * @param from the earliest time they may have been counted at; after {@link #now}
	 * only if it is {@link #at}, and the last turn of the queue is given up
	 * @param to the latest time they may have been counted at
	 * @return the time as of which to tell what is left if the last turn of the queue is
	 * given up: not before the turn that is the last one then
	 */
	abstract long takeOut(Limit limit, long cost, long from, long to);

	/**
	 * Count the newest units as of {@link #at}, so that they expire no earlier than units
	 * taken then. How many there are stays as it is. States of which units do not expire
	 * by their age have nothing to do.
	 * @param limit the limit
	 * @param units how many units, 1 or more and at most those that count
	 */
	void renewNewest(Limit limit, long units) {
	}

	/**
	 * Correct a state that cannot be, before a call that costs something: if the clock
	 * was set back behind the last admission, the state moves back with it, so that what
	 * was consumed stays consumed and nobody waits for the old time to come again; if the
	 * limit was lowered, it holds no more than it can; if units count for longer than
	 * before, they do so from now on. Everything else leaves the state alone.
	 * @param limit the limit
	 * @return whether there was something to correct
	 */
	abstract boolean correct(Limit limit);

	/**
	 * Store what was told by another limit than before, since a later time is told by
	 * this limit alone.
	 * @param limit the limit
	 */
	void follow(Limit limit) {
	}

	/**
	 * How many units could be added at once.
	 * @param limit the limit
	 * @return the units left
	 */
	abstract long room(Limit limit);

	/**
	 * How many units still count.
	 */
	final long counted(Limit limit) {
		return counted(limit, room(limit));
	}

	/**
	 * How many units count if so many are left.
	 * @param limit the limit
	 * @param left the units left
	 * @return the units that count
	 */
	long counted(Limit limit, long left) {
		return Math.max(0, limit.capacity() - left);
	}

	/**
	 * When this state equals an unused one.
	 * @param limit the limit
	 * @return the microseconds until then, 0 if it already does
	 */
	abstract long untilUnused(Limit limit);

	/**
	 * Forget everything.
	 */
	abstract void clear();

}
