package io.github.ratelimit.redis.process;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What several servers together need a while to reach. Until then it says what is still
 * missing, which is the message when the time is up.
 */
@FunctionalInterface
interface Condition {

	Duration PATIENCE = Duration.ofSeconds(30);

	Duration INTERVAL = Duration.ofMillis(20);

	/**
	 * Look whether it holds.
	 * @return what is missing, empty when nothing is
	 */
	Optional<String> missing();

	/**
	 * Wait until it holds. Servers that do not answer, or answer with an error, count as
	 * something that is missing.
	 * @param what is waited for, for the message
	 * @throws IllegalStateException if it does not hold within 30 seconds
	 */
	default void await(String what) {
		missingAfter(PATIENCE).ifPresent((missing) -> {
			throw new IllegalStateException("%s: not within %s: %s".formatted(what, PATIENCE, missing));
		});
	}

	/**
	 * Wait a while, and no longer than until it holds.
	 * @return what is still missing then, empty when nothing is
	 */
	default Optional<String> missingAfter(Duration patience) {
		long start = System.nanoTime();
		Optional<String> missing = look();
		while (missing.isPresent() && System.nanoTime() - start < patience.toNanos()) {
			pause();
			missing = look();
		}
		return missing;
	}

	private Optional<String> look() {
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
