package io.github.ratelimit.algorithm;

import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Remembers every call and computes, slowly and obviously, what an algorithm has to
 * answer.
 */
public interface Oracle {

	/**
	 * Decide a call.
	 * @param admitted whether it was admitted, which counts where several answers would
	 * be right
	 * @return the answer, or nothing where several would be right
	 */
	Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted);

	/**
	 * Whether the last call changed what is remembered although it was denied: its limit
	 * was another one than before.
	 */
	default boolean hasFollowed() {
		return false;
	}

}
