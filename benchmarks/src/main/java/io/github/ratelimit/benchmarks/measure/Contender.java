package io.github.ratelimit.benchmarks.measure;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Way to decide calls, to be compared with others.
 *
 * @param name the name in tables
 * @param decider decides one call: whether it is allowed
 * @param asyncDecider decides one call without blocking, {@code null} if it can only
 * block
 * @param end ends it
 */
public record Contender(String name, Predicate<String> decider,
		@Nullable Function<String, ? extends CompletionStage<?>> asyncDecider, Runnable end) implements AutoCloseable {

	/**
	 * Decide one call.
	 * @return whether it is allowed
	 */
	public boolean tryAcquire(String key) {
		return this.decider.test(key);
	}

	/**
	 * Decide one call without blocking.
	 * @return a stage that completes when it is decided
	 * @throws UnsupportedOperationException if it can only block
	 */
	public CompletionStage<?> tryAcquireAsync(String key) {
		if (this.asyncDecider == null) {
			throw new UnsupportedOperationException(this.name + " only blocks");
		}
		return this.asyncDecider.apply(key);
	}

	/**
	 * Return whether it can decide without blocking.
	 */
	public boolean isAsync() {
		return this.asyncDecider != null;
	}

	@Override
	public void close() {
		this.end.run();
	}

}
