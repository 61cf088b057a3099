package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.BusyMachine;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Prefetching by three instances with real clocks.
 */
@Tag("every-redis")
class PrefetchTests {

	private static final Duration PREFETCH = Duration.ofMillis(20);

	private final List<LettuceConnectionFactory> connections = new ArrayList<>();

	private final List<RedisRateLimitStore> instances = new ArrayList<>();

	private final String key = AlgorithmOnStore.freshKey();

	@BeforeEach
	void start() {
		for (int i = 0; i < 3; i++) {
			LettuceConnectionFactory connection = RedisUnderTest.connectionsTo(RedisUnderTest.process());
			this.connections.add(connection);
			RedisRateLimitStore store = new RedisRateLimitStore(connection, "test", BusyMachine.PATIENCE);
			this.instances.add(store);
		}
	}

	@AfterEach
	void stop() {
		this.instances.forEach(RedisRateLimitStore::close);
		this.connections.forEach(LettuceConnectionFactory::destroy);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW" })
	void noPeriodSeesMoreThanMax(Algorithm algorithm) {
		int max = 2_000;
		RuleCounts rule = rule(Limit.of(max, Duration.ofMillis(500)).withAlgorithm(algorithm));
		List<Admitted> admitted = callUntil((count) -> count > 3 * max, rule);
		PriorityQueue<Long> inOnePeriod = new PriorityQueue<>();
		for (Admitted call : admitted) {
			inOnePeriod.add(call.begun);
			while (!inOnePeriod.isEmpty()
					&& inOnePeriod.element() <= call.returned - TimeUnit.MILLISECONDS.toNanos(500)) {
				inOnePeriod.remove();
			}
			assertThat(inOnePeriod).hasSizeLessThanOrEqualTo(max);
		}
	}

	@Test
	void fastCallsRarelyGoToRedis() {
		Limit plenty = Limit.of(1_000_000_000, Duration.ofHours(1)).withAlgorithm(Algorithm.TOKEN_BUCKET);
		RuleCounts rule = rule(plenty, Duration.ofSeconds(1));
		callFor(Duration.ofMillis(500), rule);
		await().until(() -> {
			RedisUnderTest.resetStatistics();
			int calls = callFor(Duration.ofMillis(500), rule).size();
			return calls / (1 + RedisUnderTest.calls("evalsha")) > 20;
		});
	}

	@Test
	void unitsLeftComeBackWhenTheTimeIsOver() {
		RuleCounts rule = rule(Limit.of(1_000_000, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_WINDOW));
		int calls = callFor(Duration.ofMillis(300), rule).size();
		awaitRemaining(this.instances.get(0), rule, 1_000_000 - calls);
	}

	@Test
	void unitsLeftComeBackWhenAnInstanceCloses() {
		Limit plenty = Limit.of(1_000_000, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_WINDOW);
		RuleCounts rule = rule(plenty, Duration.ofSeconds(1));
		int calls = callFor(Duration.ofMillis(500), rule).size();
		this.instances.forEach(RedisRateLimitStore::close);
		try (RedisRateLimitStore other = new RedisRateLimitStore(this.connections.get(0), "test",
				BusyMachine.PATIENCE)) {
			awaitRemaining(other, rule, 1_000_000 - calls);
		}
	}

	@Test
	void singleCallsAreDecidedByRedis() {
		RuleCounts rule = rule(Limit.of(100, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_LOG));
		for (int i = 1; i <= 100; i++) {
			RedisRateLimitStore instance = this.instances.get(i % 3);
			assertThat(instance.acquire(demand(rule)).get(0).outcomes().get(0).remaining()).isEqualTo(100 - i);
		}
		assertThat(this.instances.get(0).acquire(demand(rule)).isAdmitted()).isFalse();
	}

	private void awaitRemaining(RedisRateLimitStore instance, RuleCounts rule, long expected) {
		await().pollInterval(PREFETCH)
			.untilAsserted(
					() -> assertThat(instance.peek(demand(rule)).outcomes().get(0).remaining()).isEqualTo(expected));
	}

	private List<Admitted> callFor(Duration duration, RuleCounts rule) {
		long end = System.nanoTime() + duration.toNanos();
		return callUntil((count) -> System.nanoTime() >= end, rule);
	}

	/**
	 * Call from three threads per instance.
	 * @param enough whether this many admitted calls are enough
	 * @return the admitted calls in order of their return
	 */
	private List<Admitted> callUntil(IntPredicate enough, RuleCounts rule) {
		Queue<Admitted> admitted = new ConcurrentLinkedQueue<>();
		AtomicInteger count = new AtomicInteger();
		List<CompletableFuture<Void>> threads = this.instances.stream()
			.flatMap((instance) -> Stream.of(instance, instance, instance))
			.map((instance) -> CompletableFuture.runAsync(() -> {
				while (!enough.test(count.get())) {
					call(instance, rule, admitted, count);
				}
			}, (work) -> new Thread(work).start()))
			.toList();
		threads.forEach(CompletableFuture::join);
		assertThat(admitted).isNotEmpty();
		return admitted.stream().sorted(Comparator.comparingLong(Admitted::returned)).toList();
	}

	private void call(RedisRateLimitStore instance, RuleCounts rule, Queue<Admitted> admitted, AtomicInteger count) {
		long begun = System.nanoTime();
		if (instance.acquire(demand(rule)).isAdmitted()) {
			admitted.add(new Admitted(begun, System.nanoTime()));
			count.incrementAndGet();
		}
		else {
			Thread.onSpinWait();
		}
	}

	private Demand demand(RuleCounts rule) {
		return new Demand(rule, StoredKey.of(this.key), 1, 0);
	}

	private static RuleCounts rule(Limit limit) {
		return rule(limit, PREFETCH);
	}

	private static RuleCounts rule(Limit limit, Duration prefetch) {
		return RuleCounts.of(RateLimitRule.named("rule").limit(limit).prefetch(prefetch).build());
	}

	/**
	 * Call that was admitted between two times.
	 */
	private record Admitted(long begun, long returned) {

	}

}
