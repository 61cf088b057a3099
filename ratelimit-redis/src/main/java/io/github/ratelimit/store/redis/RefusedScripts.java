package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Scripts that Redis refuses as a whole, so that nothing is counted and their calls can
 * be sent again. A slot of a cluster that moves to another server refuses keys of which
 * only some have moved (TRYAGAIN), and accepts them a moment later. A cluster refuses
 * keys of different slots (CROSSSLOT); its calls are grouped anew.
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
	 * @param script sends the script
	 * @param grouped sends its calls as several scripts, or with other keys, if the reach
	 * of scripts is smaller than was known
	 * @param patience how long the script is repeated, not counting the time it takes
	 * @return its result, or its last failure
	 */
	<T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> script, Supplier<CompletableFuture<T>> grouped,
			Duration patience) {
		return run(script, grouped, patience.dividedBy(PAUSE));
	}

	private <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> script, Supplier<CompletableFuture<T>> grouped,
			long repetitions) {
		ScriptReach sent = this.sharding.reach();
		return script.get().exceptionallyCompose((failure) -> {
			RedisError error = RedisError.of(failure);
			if (error == RedisError.CROSSSLOT && this.sharding.refused(sent)) {
				return grouped.get();
			}
			return (error == RedisError.TRYAGAIN && repetitions > 0)
					? CompletableFuture.supplyAsync(() -> run(script, grouped, repetitions - 1), AFTER_PAUSE)
						.thenCompose((repeated) -> repeated)
					: CompletableFuture.failedFuture(failure);
		});
	}

}
