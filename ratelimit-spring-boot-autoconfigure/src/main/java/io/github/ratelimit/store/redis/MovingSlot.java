package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Slot of a cluster that moves to another server. While some keys of a script have moved
 * and others have not, both servers refuse it (TRYAGAIN). Nothing is counted then, so the
 * script can be repeated.
 */
final class MovingSlot {

	/**
	 * Pause before a script is repeated.
	 */
	static final Duration PAUSE = Duration.ofMillis(5);

	private static final Executor AFTER_PAUSE = CompletableFuture.delayedExecutor(PAUSE.toNanos(),
			TimeUnit.NANOSECONDS);

	private MovingSlot() {
	}

	/**
	 * Run a script until it is not refused.
	 * @param script sends the script
	 * @param patience how long it is repeated, not counting the time it takes
	 * @return its reply, or its last failure
	 */
	static CompletableFuture<byte[]> run(Supplier<CompletableFuture<byte[]>> script, Duration patience) {
		return run(script, patience.dividedBy(PAUSE));
	}

	private static CompletableFuture<byte[]> run(Supplier<CompletableFuture<byte[]>> script, long repetitions) {
		return script.get().exceptionallyCompose((failure) -> {
			boolean isRefused = RedisError.of(failure) == RedisError.TRYAGAIN;
			return (isRefused && repetitions > 0)
					? CompletableFuture.supplyAsync(() -> run(script, repetitions - 1), AFTER_PAUSE)
						.thenCompose((repeated) -> repeated)
					: CompletableFuture.failedFuture(failure);
		});
	}

}
