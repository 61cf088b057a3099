package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * What one key has taken from one limit, and what follows from it for the next call.
 * Times are microseconds of the store's clock. Not thread-safe: the store guards it.
 *
 * <p>
 * The state is {@linkplain #read read} as of a time, once, and everything else is asked
 * and done as of then. What was read is stored when something was taken, given back or
 * settled, and forgotten otherwise. The limit is given anew with every call, so that a
 * changed limit judges what was consumed under the old one.
 */
interface LimitState {

	/**
	 * The {@link #retryAfter} of a call that can never be admitted.
	 */
	long NEVER = Count.NEVER;

	/**
	 * A state from which nothing was taken yet.
	 * @param algorithm how calls are counted
	 * @return a new state
	 */
	static LimitState unused(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> new SlidingLog();
			case TOKEN_BUCKET, LEAKY_BUCKET -> new TokenBucket();
			case WEIGHTED_WINDOW -> new WeightedWindow();
			case SLIDING_WINDOW -> new SlidingWindow();
			case FIXED_WINDOW -> new FixedWindow();
			case WARM_UP -> new WarmUp();
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	/**
	 * Tell what is stored as of a time, for what follows.
	 * @param limit the limit
	 * @param at the time
	 */
	void read(Limit limit, long at);

	/**
	 * How long the call has to wait.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more
	 * @return 0 if it is admitted now, {@link #NEVER} if it costs more than the limit can
	 * hold, else the microseconds until it would be
	 */
	long retryAfter(Limit limit, long cost);

	/**
	 * Count an admitted call.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more, and {@link #retryAfter} is 0 for it
	 * @param now the time of the clock, that of the state or earlier; what is not yet
	 * over then is kept, because it counts again when the call is {@linkplain #giveBack
	 * given back}
	 */
	void take(Limit limit, long cost, long now);

	/**
	 * Count a denied call, for a limit with {@link Limit#countDenied()}. Only algorithms
	 * that such a limit can have count it.
	 * @param limit the limit
	 * @param cost what the call takes, from 1 to what the limit can hold
	 * @param now the time of the clock, that of the state or earlier
	 */
	default void takeDenied(Limit limit, long cost, long now) {
		throw new UnsupportedOperationException(limit + " does not count denied calls");
	}

	/**
	 * Take back units that were counted, as many as still count.
	 * @param limit the limit
	 * @param cost how many units, 1 or more
	 * @param slot the time they were counted at; those of a later time stay
	 * @param now the time of the clock, that of the state or earlier
	 * @return the time as of which to read what is left, that of the state or earlier
	 */
	long giveBack(Limit limit, long cost, long slot, long now);

	/**
	 * Correct a state that cannot be, before a call that costs something: if the clock
	 * was set back behind the last admission, the state moves back with it, so that what
	 * was consumed stays consumed and nobody waits for the old time to come again; if the
	 * limit was lowered, it holds no more than it can. Everything else leaves the state
	 * alone.
	 * @param limit the limit
	 * @return whether there was something to correct
	 */
	boolean settle(Limit limit);

	/**
	 * How many units could be taken at once.
	 * @param limit the limit
	 * @return the units left
	 */
	long remaining(Limit limit);

	/**
	 * How many units still count.
	 */
	default long used(Limit limit) {
		return Math.max(0, limit.capacity() - remaining(limit));
	}

	/**
	 * When this state equals an unused one.
	 * @param limit the limit
	 * @return the microseconds until then, 0 if it already does
	 */
	long resetAfter(Limit limit);

}
