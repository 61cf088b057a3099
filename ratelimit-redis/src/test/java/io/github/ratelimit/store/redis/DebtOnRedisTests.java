package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FaultyProxy;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Units that calls owe in Redis: charged once, regardless of the client and the topology,
 * and by scripts of their own.
 */
@Tag("every-redis")
class DebtOnRedisTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(100, Duration.ofDays(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	/**
	 * A caller sees its own settlement with the next call.
	 */
	@ParameterizedTest
	@EnumSource
	void reservationIsSettledBeforeTheNextCall(RunnerUnderTest client) {
		RedisConnectionFactory connections = client.connections(RedisUnderTest.process());
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "debt", PATIENCE);
				RateLimitEngine engine = engine(store)) {
			RateLimiter limiter = limiter(engine);
			for (int i = 1; i <= 20; i++) {
				limiter.reserve(this.key, 5).settle(1);
				assertThat(limiter.peek(this.key).remaining()).isEqualTo(100 - i);
			}
			limiter.reserve(this.key, 5).settle(60);
			assertThat(limiter.peek(this.key).remaining()).isEqualTo(20);
			limiter.reserveAsync(this.key, 5).thenAccept((tokens) -> tokens.settle(200)).toCompletableFuture().join();
			assertThat(limiter.tryAcquire(this.key).retryAfter()).isGreaterThan(Duration.ofDays(1));
			assertThat(engine.keys().state(new Demand(limiter.rule(), this.key, 1)).owed())
				.isEqualTo(Map.of("rule", 180L));
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	@ParameterizedTest
	@EnumSource
	void reservationThatEndsOnTheEventLoopOfTheClientIsSettled(RunnerUnderTest client) {
		RedisConnectionFactory connections = client.connections(RedisUnderTest.process());
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "debt", PATIENCE);
				RateLimitEngine engine = engine(store)) {
			RateLimiter limiter = limiter(engine);
			Reservation tokens = limiter.reserve(this.key, 5);
			CompletableFuture<Void> ended = store.acquireAsync(new Demand(RULE, "other", 1))
				.toCompletableFuture()
				.thenAccept((answer) -> tokens.settle(60));
			assertThat(ended).succeedsWithin(PATIENCE);
			await().untilAsserted(() -> assertThat(limiter.peek(this.key).remaining()).isEqualTo(40));
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	@Test
	void debtWhoseReplyIsLostIsChargedOnce() throws IOException {
		try (FaultyProxy proxy = new FaultyProxy(RedisUnderTest.process().port())) {
			RedisConnectionFactory connections = RunnerUnderTest.LETTUCE.connections(proxy.host(), proxy.port());
			RunnerUnderTest.withStore(connections, "debt", PATIENCE, (store) -> {
				await().ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(store::connect);
				long slot = acquire(store, 5);
				AlgorithmOnStore.correct(store, List.of(debt(10, slot)));
				proxy.loseNextReply();
				assertThatExceptionOfType(StoreException.class)
					.isThrownBy(() -> AlgorithmOnStore.correct(store, List.of(debt(7, slot))))
					.withMessageContaining("the connection broke before the reply came");
				await().ignoreExceptionsInstanceOf(StoreException.class)
					.untilAsserted(() -> assertThat(remaining(store, this.key)).isEqualTo(78));
			});
		}
	}

	/**
	 * A frozen server counts it when it goes on.
	 */
	@ParameterizedTest
	@EnumSource
	void debtWhoseReplyIsLateIsChargedOnce(RunnerUnderTest kind) {
		try (RedisProcess redis = RedisProcess.start()) {
			RunnerUnderTest.withStore(kind.connections(redis), "debt", Duration.ofSeconds(1), (store) -> {
				await().ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(store::connect);
				long slot = acquire(store, 5);
				redis.freeze();
				assertThatExceptionOfType(StoreException.class)
					.isThrownBy(() -> AlgorithmOnStore.correct(store, List.of(debt(10, slot))));
				redis.resume();
				await().ignoreExceptionsInstanceOf(StoreException.class)
					.untilAsserted(() -> assertThat(remaining(store, this.key)).isEqualTo(85));
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void debtsOfAClusterAreChargedOnEachServer(RunnerUnderTest kind) {
		RedisConnectionFactory connections = kind.connections(ClusterUnderTest.cluster());
		RunnerUnderTest.withStore(connections, ClusterUnderTest.PREFIX, PATIENCE, (store) -> {
			List<String> keys = Stream.generate(AlgorithmOnStore::freshKey).limit(10).toList();
			List<Correction> debts = keys.stream()
				.map((each) -> AlgorithmOnStore.debt(new Demand(RULE, each, 150),
						store.acquire(new Demand(RULE, each, 5)).get(0).time(), false))
				.toList();
			AlgorithmOnStore.correct(store, debts);
			assertThat(keys).allSatisfy((each) -> assertThat(remaining(store, each)).isZero());
			store.correct(debts).toCompletableFuture().join();
			assertThat(keys)
				.allSatisfy((each) -> assertThat(store.peek(new Demand(RULE, each, 1)).outcomes().get(0).retryAfter())
					.isBetween(Duration.ofHours(49).toNanos() / 1_000, Duration.ofHours(50).toNanos() / 1_000));
		});
	}

	@Test
	void bucketOwesUnitsBesideACandidateOfAnotherAlgorithm() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(100, Duration.ofDays(1))
			.algorithm(Algorithm.TOKEN_BUCKET)
			.candidate("warm", AlgorithmUnderTest.WARM_UP.limit(100, Duration.ofDays(1)))
			.build();
		try (RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "debt", PATIENCE);
				RateLimitEngine engine = engine(store)) {
			RateLimiter limiter = new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of()).register(rule);
			Reservation tokens = limiter.reserve(this.key, 5);
			assertThat(limiter.tryAcquire(this.key).allowed()).isTrue();
			tokens.settle(60);
			assertThat(limiter.peek(this.key).remaining()).isEqualTo(39);
		}
	}

	/**
	 * The buckets of other rules stay as they are.
	 */
	@Test
	void bucketStoresItsNewestTakesIfItsCallsAreReserved() {
		try (RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "debt", PATIENCE);
				RateLimitEngine engine = engine(store)) {
			RateLimiter limiter = limiter(engine);
			limiter.tryAcquire(this.key);
			limiter.tryAcquire(this.key);
			assertThat(stored()).isEqualTo(35);
			limiter.reserve(this.key);
			limiter.tryAcquire(this.key);
			assertThat(stored()).isEqualTo(35 + 1 + 2 * 17);
			for (int i = 0; i < 70; i++) {
				limiter.tryAcquire(this.key);
			}
			assertThat(stored()).isEqualTo(35 + 1 + 64 * 17);
		}
	}

	private long stored() {
		byte[] name = RedisUnderTest.keys("debt").counters(RuleCounts.of(RULE)).first(StoredKey.of(this.key));
		return (Long) RedisUnderTest.process().command("STRLEN", new String(name, StandardCharsets.UTF_8));
	}

	/**
	 * Redis creates all functions of a script anew in each run.
	 */
	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "FIXED_WINDOW", "CALENDAR_WINDOW", "WEIGHTED_WINDOW", "SLIDING_WINDOW" })
	void onlyScriptsThatChargeDebtsContainThem(CountType type) {
		CountingScripts plain = new CountingScripts("each-count", "refund");
		CountingScripts debts = CountingScripts.withDebt("each-count", "owe");
		assertThat(plain.of(EnumSet.of(type)).text()).doesNotContain("debt\n", "].owe");
		assertThat(debts.of(EnumSet.of(type)).text()).contains("-- debt\n", "].owe");
	}

	private long acquire(RedisRateLimitStore store, long cost) {
		return store.acquire(new Demand(RULE, this.key, cost)).get(0).time();
	}

	private Correction debt(long units, long slot) {
		return AlgorithmOnStore.debt(new Demand(RULE, this.key, units), slot, false);
	}

	private static long remaining(RedisRateLimitStore store, String key) {
		return store.peek(new Demand(RULE, key, 1)).outcomes().get(0).remaining();
	}

	private static RateLimitEngine engine(RedisRateLimitStore store) {
		RateLimitEngine engine = Engines.over(store, OnStoreFailure.DENY);
		engine.start();
		return engine;
	}

	private static RateLimiter limiter(RateLimitEngine engine) {
		return new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of()).register(RULE);
	}

}
