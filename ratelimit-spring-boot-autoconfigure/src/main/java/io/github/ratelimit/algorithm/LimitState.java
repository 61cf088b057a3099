package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * What one key has taken from one limit, and what follows from it for the next call.
 * Times are microseconds of the store's clock. Not thread-safe: the store guards it.
 *
 * <p>
 * Only {@link #take} and {@link #settle} change the state; the limit is given anew with
 * every call, so that a changed limit judges what was consumed under the old one.
 *
 * @since 0.1.0
 */
public interface LimitState {

	/**
	 * The {@link #retryAfter} of a call that can never be admitted.
	 */
	long NEVER = -1;

	/**
	 * A state from which nothing was taken yet.
	 * @param algorithm how calls are counted
	 * @return a new state
	 */
	static LimitState unused(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> new SlidingLog();
			case TOKEN_BUCKET -> new TokenBucket();
			case WEIGHTED_WINDOW -> new WeightedWindow();
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	/**
	 * How long the call has to wait.
	 * @param limit the limit
	 * @param cost what the call takes, 0 or more
	 * @param now the time
	 * @return 0 if it is admitted now, {@link #NEVER} if it costs more than the limit can
	 * hold, else the microseconds until it would be
	 */
	long retryAfter(Limit limit, long cost, long now);

	/**
	 * Count an admitted call.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more, and {@link #retryAfter} is 0 for it
	 * @param now the time, at which the state was {@linkplain #settle settled}
	 */
	void take(Limit limit, long cost, long now);

	/**
	 * Correct a state that cannot be, before a call that costs something: if the clock
	 * was set back behind the last admission, the state moves back with it, so that what
	 * was consumed stays consumed and nobody waits for the old time to come again; if the
	 * limit was lowered, it holds no more than it can. Everything else leaves the state
	 * alone.
	 * @param limit the limit
	 * @param now the time
	 * @return whether there was something to correct
	 */
	boolean settle(Limit limit, long now);

	/**
	 * How many units could be taken at once.
	 * @param limit the limit
	 * @param now the time
	 * @return the units left
	 */
	long remaining(Limit limit, long now);

	/**
	 * When this state equals an unused one.
	 * @param limit the limit
	 * @param now the time
	 * @return the microseconds until then, 0 if it already does
	 */
	long resetAfter(Limit limit, long now);

}
