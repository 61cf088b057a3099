package io.github.ratelimit.benchmarks.measure;

import java.util.concurrent.CompletionStage;

/**
 * Way to decide calls, to be compared with others.
 */
public interface Contender extends AutoCloseable {

	/**
	 * Return the name in tables.
	 */
	String name();

	/**
	 * Decide one call.
	 * @return whether it is allowed
	 */
	boolean tryAcquire(String key);

	/**
	 * Decide one call without blocking.
	 * @return a stage that completes when it is decided
	 * @throws UnsupportedOperationException if it can only block
	 */
	default CompletionStage<?> tryAcquireAsync(String key) {
		throw new UnsupportedOperationException(name() + " only blocks");
	}

	/**
	 * Return whether it can decide without blocking.
	 */
	default boolean isAsync() {
		return true;
	}

	@Override
	default void close() {
	}

}
