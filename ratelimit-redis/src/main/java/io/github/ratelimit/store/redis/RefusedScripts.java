package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Scripts that Redis refuses as a whole, so that nothing is counted and their calls can
 * be sent again: those of several keys divided by their keys, others after a pause. A
 * hash slot of a cluster that moves to another server refuses keys of which only some
 * have moved (TRYAGAIN), and accepts them a moment later. A cluster refuses keys of
 * different slots (CROSSSLOT).
 */
final class RefusedScripts {

	/**
	 * Pause before a script is repeated.
	 */
	static final Duration PAUSE = Duration.ofMillis(5);

	private static final Executor AFTER_PAUSE = CompletableFuture.delayedExecutor(PAUSE.toNanos(),
			TimeUnit.NANOSECONDS);

	private final Sharding sharding;

	RefusedScripts(Sharding sharding) {
		this.sharding = sharding;
	}

	/**
	 * Run a script until it is not refused.
	 * @param script sends the script, each time with the keys of the present reach
	 * @param divided sends its calls as several scripts, or returns {@code null} if they
	 * have the same keys
	 * @param patience how long the script is repeated, not counting the time it takes
	 * @return its result, or its last failure
	 */
	<T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> script,
			Supplier<@Nullable CompletableFuture<T>> divided, Duration patience) {
		return run(script, divided, patience.dividedBy(PAUSE));
	}

	private <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> script,
			Supplier<@Nullable CompletableFuture<T>> divided, long repetitions) {
		ScriptReach sent = this.sharding.reach();
		return script.get().exceptionallyCompose((failure) -> {
			RedisError error = RedisError.of(failure);
			boolean isRefused = error == RedisError.TRYAGAIN
					|| (error == RedisError.CROSSSLOT && this.sharding.refused(sent));
			if (!isRefused || repetitions == 0) {
				return CompletableFuture.failedFuture(failure);
			}
			CompletableFuture<T> parts = divided.get();
			return (parts != null) ? parts
					: CompletableFuture.supplyAsync(() -> run(script, divided, repetitions - 1), AFTER_PAUSE)
						.thenCompose((repeated) -> repeated);
		});
	}

}
