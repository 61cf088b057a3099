package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Instances that share a Redis which sometimes fails all calls or some of them.
 */
class FallbackOnRedisTests {

	private static final int MAX = 5;

	/**
	 * Number of calls of an instance that time out before its circuit opens. A frozen
	 * Redis runs them late, and their refunds may follow the charges of another instance.
	 */
	private static final int CALLS_UNDER_WAY = 5;

	private static final int MANY = 50_000;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final RateLimitRule RULE = rule("rule");

	private final RedisProcess redis = RedisProcess.start();

	private final List<Instance> instances = new ArrayList<>();

	@AfterEach
	void close() {
		this.instances.forEach(Instance::close);
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void outageGrantsEachInstanceMaxAndAfterwardsAtMostTheCallsUnderWay(boolean killed) {
		Instance left = new Instance(0);
		Instance right = new Instance(0);
		if (killed) {
			this.redis.kill();
		}
		else {
			this.redis.freeze();
		}
		assertThat(left.admitted("key", 2 * MAX)).isEqualTo(MAX);
		assertThat(right.admitted("key", 2 * MAX)).isEqualTo(MAX);
		if (killed) {
			this.redis.restart();
		}
		else {
			this.redis.resume();
		}
		AtomicLong afterwards = new AtomicLong();
		for (Instance instance : List.of(left, right)) {
			await().atMost(PATIENCE).until(() -> {
				afterwards.addAndGet(instance.admitted("key", 1));
				return instance.origin("other") == Decision.Origin.REDIS;
			});
		}
		afterwards.addAndGet(left.admitted("key", 2 * MAX) + right.admitted("key", 2 * MAX));
		assertThat(afterwards).hasValueLessThanOrEqualTo(killed ? 0 : CALLS_UNDER_WAY);
		await().atMost(PATIENCE).until(() -> left.remaining("key") == 0);
	}

	@Test
	void everyOtherCallThatFailsGrantsOneFurtherQuotaPerInstanceAtMost() {
		Instance left = new Instance(2);
		Instance right = new Instance(2);
		long admitted = 0;
		for (int i = 0; i < 60; i++) {
			admitted += ((i % 4 < 2) ? left : right).admitted("key", 1);
			long remaining = Math.max(0, MAX - admitted);
			await().atMost(PATIENCE).until(() -> left.remaining("key") == remaining);
		}
		assertThat(admitted).isBetween((long) MAX, 3L * MAX);
	}

	@ParameterizedTest
	@EnumSource
	void fallbackDecidesTheCallsOfAKeyUntilItsChargeHasSucceeded(RunnerUnderTest client) {
		Instance instance = new Instance(2, Duration.ofSeconds(1), client);
		instance.chargesFail = true;
		assertThat(instance.admitted("key", 2)).isEqualTo(2);
		assertThat(instance.peek("key")).extracting(Decision::origin, Decision::remaining)
			.containsExactly(Decision.Origin.FALLBACK, MAX - 1L);
		Demand demand = new Demand(RULE, "key", 1);
		assertThat(List.of(instance.engine.acquire(demand),
				instance.engine.acquireAsync(demand).toCompletableFuture().join()))
			.extracting((call) -> call.decision().origin())
			.containsOnly(Decision.Origin.FALLBACK);
		instance.engine.keys().refund(demand);
		assertThat(instance.peek("key").remaining()).isEqualTo(MAX - 2);
		assertThat(instance.origin("other")).isEqualTo(Decision.Origin.REDIS);
		assertThat(instance.remaining("key")).isEqualTo(MAX - 1);
		instance.chargesFail = false;
		await().atMost(PATIENCE).until(() -> instance.peek("key").origin() == Decision.Origin.REDIS);
		assertThat(instance.peek("key").remaining()).isEqualTo(MAX - 3);
		assertThat(instance.admitted("key", 1)).isOne();
	}

	@Test
	void callThatAlsoHasARuleOfAnotherPolicyGoesToTheStore() {
		Instance instance = new Instance(2);
		instance.chargesFail = true;
		instance.admitted("key", 2);
		RateLimitRule denying = RateLimitRule.named("denying")
			.limit(MAX, Duration.ofDays(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.onStoreFailure(OnStoreFailure.DENY)
			.build();
		assertThat(
				instance.engine.acquire(Demands.of(List.of(new Demand(RULE, "key", 1), new Demand(denying, "key", 1))))
					.decision()
					.origin())
			.isEqualTo(Decision.Origin.REDIS);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void callThatEndsWhenItsUnitsAreChargedLeavesThemInRedis(AlgorithmUnderTest algorithm) {
		Instance instance = new Instance(2);
		RateLimitRule rule = RateLimitRule.named("login").limit(algorithm.limit(MAX, Duration.ofDays(1))).build();
		DecidedCall first = instance.engine.acquire(new Demand(rule, "key", 2));
		DecidedCall second = instance.engine.acquire(new Demand(rule, "key", 2));
		assertThat(Stream.of(first, second).map((call) -> call.decision().origin()))
			.containsExactly(Decision.Origin.REDIS, Decision.Origin.FALLBACK);
		await().atMost(PATIENCE).until(() -> instance.remaining(rule, "key") == MAX - 4);
		second.end((demand) -> 1);
		first.end((demand) -> 0);
		assertThat(instance.remaining(rule, "key")).isEqualTo(MAX - 2);
	}

	/**
	 * When the charge comes, the units of the late call are in the way.
	 */
	@ParameterizedTest
	@EnumSource
	void callThatRedisCountsTooLateIsChargedAfterItsRefund(RunnerUnderTest client) {
		Instance instance = new Instance(0, Duration.ofMillis(500), client);
		await().atMost(PATIENCE).until(() -> instance.origin("other") == Decision.Origin.REDIS);
		this.redis.freeze();
		assertThat(instance.engine.acquire(new Demand(RULE, "key", MAX - 1)).decision())
			.extracting(Decision::allowed, Decision::origin)
			.containsExactly(true, Decision.Origin.FALLBACK);
		this.redis.resume();
		await().atMost(PATIENCE)
			.during(Duration.ofMillis(500))
			.until(() -> instance.remaining("key") == 1 && instance.fallback.uncharged().isEmpty());
		assertThat(instance.admitted("key", 2)).isOne();
	}

	@Test
	void manyKeysAreChargedWhileCallersAreAnswered() {
		Instance instance = new Instance(0, Duration.ofSeconds(5));
		this.redis.freeze();
		instance.acquireTogether("key", MAX);
		for (int i = 0; i < MANY; i++) {
			instance.fallback.acquire(new Demand(RULE, "key-" + i, 1));
		}
		this.redis.resume();
		await().atMost(PATIENCE).until(() -> instance.origin("other") == Decision.Origin.REDIS);
		await().atMost(PATIENCE).until(() -> {
			assertThat(instance.origin("other")).isEqualTo(Decision.Origin.REDIS);
			return instance.fallback.uncharged().isEmpty() && keys() >= MANY;
		});
		assertThat(instance.remaining("key-0")).isEqualTo(MAX - 1);
		assertThat(instance.remaining("key-" + (MANY - 1))).isEqualTo(MAX - 1);
	}

	private long keys() {
		return (Long) this.redis.command("DBSIZE");
	}

	private static RateLimitRule rule(String name) {
		return RateLimitRule.named(name)
			.limit(MAX, Duration.ofDays(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.onStoreFailure(OnStoreFailure.LOCAL)
			.build();
	}

	private final class Instance {

		private final RedisConnectionFactory connections;

		private final RedisRateLimitStore store;

		private final LocalFallbackStore fallback = new LocalFallbackStore(2 * MANY, 1);

		private final RateLimitEngine engine;

		private volatile boolean chargesFail;

		/**
		 * Create an instance.
		 * @param each one of this many calls fails before it reaches Redis; 0 for none
		 */
		Instance(int each) {
			this(each, Duration.ofSeconds(10));
		}

		Instance(int each, Duration timeout) {
			this(each, timeout, RunnerUnderTest.LETTUCE);
		}

		Instance(int each, Duration timeout, RunnerUnderTest client) {
			this.connections = client.connections(FallbackOnRedisTests.this.redis);
			this.store = new RedisRateLimitStore(this.connections, "fallback", timeout);
			this.engine = new RateLimitEngine((each > 0) ? failing(each) : this.store, () -> OnStoreFailure.LOCAL,
					this.fallback);
			this.engine.start();
			FallbackOnRedisTests.this.instances.add(this);
		}

		private RateLimitStore failing(int each) {
			AtomicInteger calls = new AtomicInteger();
			RemoteStore failing = mock(RemoteStore.class, delegatesTo(this.store));
			willAnswer((call) -> {
				if (calls.incrementAndGet() % each == 0) {
					throw new StoreException("lost", null);
				}
				return this.store.acquire(call.getArgument(0));
			}).given(failing).acquire(any());
			willAnswer((call) -> {
				List<Correction> corrections = call.getArgument(0);
				return (this.chargesFail && corrections.get(0).kind() == Kind.CHARGE)
						? CompletableFuture.failedFuture(new StoreException("lost", null))
						: this.store.correct(corrections);
			}).given(failing).correct(any());
			return failing;
		}

		int admitted(String key, int calls) {
			int admitted = 0;
			for (int i = 0; i < calls; i++) {
				admitted += this.engine.acquire(new Demand(RULE, key, 1)).isAllowed() ? 1 : 0;
			}
			return admitted;
		}

		void acquireTogether(String key, int calls) {
			Stream.generate(() -> this.engine.acquireAsync(new Demand(RULE, key, 1)))
				.limit(calls)
				.map(CompletionStage::toCompletableFuture)
				.toList()
				.forEach(CompletableFuture::join);
		}

		Decision.Origin origin(String key) {
			return this.engine.acquire(new Demand(rule("others"), key, 0)).decision().origin();
		}

		Decision peek(String key) {
			return this.engine.keys().peek(new Demand(RULE, key, 1));
		}

		long remaining(String key) {
			return remaining(RULE, key);
		}

		long remaining(RateLimitRule rule, String key) {
			return this.store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining();
		}

		void close() {
			this.engine.close();
			this.store.close();
			RunnerUnderTest.destroy(this.connections);
		}

	}

}
