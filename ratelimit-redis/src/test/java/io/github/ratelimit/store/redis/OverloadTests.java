package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Calls that fail though Redis is well: beyond the bound on pending calls, and while the
 * application stops.
 */
@Tag("every-redis")
class OverloadTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int MAX_PENDING = 300;

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(5, Duration.ofDays(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.build();

	@AutoClose
	private final RedisProcess redis = RedisProcess.start();

	private final Demands demands = new Demand(RULE, AlgorithmOnStore.freshKey(), 1);

	@ParameterizedTest
	@EnumSource
	void callsBeyondTheBoundAreDecidedByThePolicyAtOnceAndRedisIsNoOutage(RunnerUnderTest client) {
		RedisConnectionFactory connections = client.connections(this.redis);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "overload", PATIENCE, true, MAX_PENDING,
				RedisSharding.AUTO); RateLimitEngine engine = Engines.over(store)) {
			engine.start();
			Failures failures = new Failures();
			engine.listen(List.of(failures));
			this.redis.freeze();
			List<CompletableFuture<DecidedCall>> waiting = acquire(engine, MAX_PENDING);
			List<CompletableFuture<DecidedCall>> beyond = acquire(engine, 10);
			assertThat(beyond).allMatch(CompletableFuture::isDone)
				.extracting((call) -> call.join().decision().origin())
				.containsOnly(Decision.Origin.FALLBACK);
			assertThat(beyond).filteredOn((call) -> call.join().isAllowed()).hasSize(5);
			assertThat(engine.acquire(this.demands).decision().allowed()).isFalse();
			assertThat(failures.reasons).containsOnly("overload");
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			this.redis.resume();
			waiting.forEach((call) -> assertThat(call).succeedsWithin(PATIENCE)
				.extracting((decided) -> decided.decision().origin())
				.isEqualTo(Decision.Origin.REDIS));
			assertThat(failures.lost).hasValue(0);
			await().untilAsserted(() -> assertThat(engine.acquire(this.demands).decision().origin())
				.isEqualTo(Decision.Origin.REDIS));
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	@ParameterizedTest
	@EnumSource
	void callsUnderWayWhenTheApplicationStopsAreNoOutage(RunnerUnderTest client) {
		RedisConnectionFactory connections = client.connections(this.redis);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "stopped", PATIENCE);
				RateLimitEngine engine = Engines.over(store)) {
			engine.start();
			Failures failures = new Failures();
			engine.listen(List.of(failures));
			this.redis.freeze();
			List<CompletableFuture<DecidedCall>> underWay = acquire(engine, 100);
			store.pause();
			this.redis.kill();
			assertThat(underWay).allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE)
				.extracting((decided) -> decided.decision().origin())
				.isEqualTo(Decision.Origin.FALLBACK));
			assertThat(failures.reasons).isNotEmpty().containsOnly("stopped");
			assertThat(failures.lost).hasValue(0);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private List<CompletableFuture<DecidedCall>> acquire(RateLimitEngine engine, int calls) {
		Stream<CompletableFuture<DecidedCall>> decided = IntStream.range(0, calls)
			.mapToObj((i) -> engine.acquireAsync(this.demands).toCompletableFuture());
		return decided.toList();
	}

	private static final class Failures implements RateLimitListener {

		private final List<String> reasons = new CopyOnWriteArrayList<>();

		private final AtomicInteger lost = new AtomicInteger();

		@Override
		public void storeFailed(String reason, @Nullable String remedy) {
			this.reasons.add(reason);
		}

		@Override
		public void storeUnavailable(String reason) {
			this.lost.incrementAndGet();
		}

	}

}
