package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cost of units that a call takes from one server of a cluster before another one denies
 * it. The second rule denies all calls of 16 threads; 16 other threads share the first
 * rule, which has just enough units for their calls.
 */
class HeldUnitsTests {

	private static final System.Logger logger = System.getLogger(HeldUnitsTests.class.getName());

	private static final int THREADS = 16;

	private static final int CALLS = 1_000;

	@Test
	void noMoreCallsAreDeniedThanUnitsAreHeldAndNoneIsLost() {
		List<RedisProcess> masters = ClusterUnderTest.cluster().masters();
		Demand shared = demand("shared", CALLS, masters.get(0));
		Demand exhausted = demand("exhausted", 1, masters.get(1));
		Demand plenty = demand("plenty", CALLS, masters.get(2));
		RedisClusterTests.onStore(RunnerUnderTest.LETTUCE, (store) -> {
			store.acquire(exhausted);
			AtomicBoolean ended = new AtomicBoolean();
			AtomicInteger calls = new AtomicInteger();
			AtomicInteger denied = new AtomicInteger();
			AtomicInteger inVain = new AtomicInteger();
			ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
			List<CompletableFuture<Void>> doomed = run(threads, () -> {
				while (!ended.get()) {
					assertThat(admits(store, shared, exhausted)).isFalse();
					inVain.incrementAndGet();
				}
			});
			List<CompletableFuture<Void>> welcome = run(threads, () -> {
				while (calls.incrementAndGet() <= CALLS) {
					if (!admits(store, shared, plenty)) {
						denied.incrementAndGet();
					}
				}
			});
			welcome.forEach(CompletableFuture::join);
			ended.set(true);
			doomed.forEach(CompletableFuture::join);
			threads.shutdown();
			logger.log(System.Logger.Level.INFO,
					"{0} of {1} calls denied for units that {2} calls held for a moment on {3} threads", denied, CALLS,
					inVain, THREADS);
			assertThat(denied.get()).isLessThanOrEqualTo(CALLS / 4);
			assertThat(remaining(store, shared)).isEqualTo(denied.get());
			assertThat(remaining(store, plenty)).isEqualTo(denied.get());
			assertThat(remaining(store, exhausted)).isZero();
		});
	}

	private static List<CompletableFuture<Void>> run(ExecutorService threads, Runnable task) {
		return Stream.generate(() -> CompletableFuture.runAsync(task, threads)).limit(THREADS).toList();
	}

	private static boolean admits(RedisRateLimitStore store, Demand... demands) {
		return store.acquire(Demands.of(demands)).isAdmitted();
	}

	private static long remaining(RedisRateLimitStore store, Demand demand) {
		return store.acquire(demand.withCost(0)).get(0).outcomes().stream().mapToLong(LimitOutcome::remaining).sum();
	}

	private static Demand demand(String name, long max, RedisProcess master) {
		RateLimitRule rule = RateLimitRule.named(name)
			.limit(max, Duration.ofDays(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		return ClusterUnderTest.demand(rule, (owner) -> owner == master);
	}

}
