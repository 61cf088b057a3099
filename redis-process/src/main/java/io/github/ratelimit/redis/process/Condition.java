package io.github.ratelimit.redis.process;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Condition that several servers reach together after a while. Until then it describes
 * what is missing, for the message of a timeout.
 */
@FunctionalInterface
interface Condition {

	Duration PATIENCE = Duration.ofSeconds(90);

	Duration INTERVAL = Duration.ofMillis(20);

	/**
	 * Check the condition.
	 * @return a description of what is missing, empty when the condition holds
	 */
	Optional<String> missing();

	/**
	 * Wait until the condition holds. It does not hold while servers do not answer or
	 * answer with an error.
	 * @param what a description of the condition, for the message
	 * @throws IllegalStateException if it does not hold within 30 seconds
	 */
	default void await(String what) {
		missingAfter(PATIENCE).ifPresent((missing) -> {
			throw new IllegalStateException("%s: not within %s: %s".formatted(what, PATIENCE, missing));
		});
	}

	/**
	 * Wait until the condition holds, for a limited time.
	 * @return a description of what is still missing, empty when the condition holds
	 */
	default Optional<String> missingAfter(Duration patience) {
		long start = System.nanoTime();
		Optional<String> missing = missingNow();
		while (missing.isPresent() && System.nanoTime() - start < patience.toNanos()) {
			pause();
			missing = missingNow();
		}
		return missing;
	}

	private Optional<String> missingNow() {
		try {
			return missing();
		}
		catch (RedisErrorReply | UncheckedIOException ex) {
			return Optional.of(ex.toString());
		}
	}

	private static void pause() {
		try {
			Thread.sleep(INTERVAL.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting", ex);
		}
	}

}
