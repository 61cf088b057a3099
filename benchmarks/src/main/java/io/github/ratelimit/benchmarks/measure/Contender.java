package io.github.ratelimit.benchmarks.measure;

import java.util.concurrent.CompletionStage;

/**
 * One way to decide calls, to be measured beside others.
 */
public interface Contender extends AutoCloseable {

	/**
	 * What it is called in tables.
	 */
	String name();

	/**
	 * Decide one call.
	 * @return whether it is allowed
	 */
	boolean tryAcquire(String key);

	/**
	 * Decide one call without blocking.
	 * @return when it is decided
	 * @throws UnsupportedOperationException if it can only block
	 */
	default CompletionStage<?> tryAcquireAsync(String key) {
		throw new UnsupportedOperationException(name() + " only blocks");
	}

	/**
	 * Whether it can decide without blocking.
	 */
	default boolean isAsync() {
		return true;
	}

	/**
	 * Whether what {@link #tryAcquire} returns is the decision, or only that there was a
	 * reply.
	 */
	default boolean tellsDecision() {
		return true;
	}

	@Override
	default void close() {
	}

}
