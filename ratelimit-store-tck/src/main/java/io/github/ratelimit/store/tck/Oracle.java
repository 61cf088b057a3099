package io.github.ratelimit.store.tck;

import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Slow but obviously correct implementation of an algorithm that records every call of a
 * key.
 *
 * @since 0.1.0
 */
public interface Oracle {

	/**
	 * Decide a call.
	 * @param limit the limit, which may differ from that of the last call
	 * @param cost the units that the call takes
	 * @param now the time, which may be earlier than that of the last call
	 * @param admitted whether it was admitted, for cases with several correct answers
	 * @return the answer, or empty if several are correct
	 */
	Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted);

	/**
	 * Return whether the last call, although denied, changed the state because its limit
	 * differs from the one before.
	 * @return {@code false} by default
	 */
	default boolean hasFollowed() {
		return false;
	}

	/**
	 * Return whether {@link #hasFollowed()} includes corrections after the clock was set
	 * back. Otherwise every call before the last write is one.
	 * @return {@code false} by default
	 */
	default boolean knowsCorrections() {
		return false;
	}

}
