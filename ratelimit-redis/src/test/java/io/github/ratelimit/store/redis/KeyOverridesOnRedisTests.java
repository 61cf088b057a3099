package io.github.ratelimit.store.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.DenyCache;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.local.LocalClock;

import static io.github.ratelimit.BusyMachine.durationOf;
import static io.github.ratelimit.BusyMachine.shortest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances of an application that share a Redis, and the overrides of keys in it.
 */
class KeyOverridesOnRedisTests {

	private static final Duration A_SECOND = Duration.ofSeconds(1);

	private final RedisProcess redis = RedisProcess.start();

	private final String prefix = UUID.randomUUID().toString();

	private List<Instance> instances;

	@BeforeEach
	void startInstances() {
		this.instances = List.of(new Instance(), new Instance(), new Instance());
	}

	@AfterEach
	void stopInstances() {
		this.instances.forEach(Instance::close);
		this.redis.close();
	}

	@Test
	void everyInstanceSeesAnOverrideWithinASecondAndItsEnd() {
		AtomicInteger attempt = new AtomicInteger();
		assertThat(shortest(A_SECOND, () -> seeAnOverrideAndItsEnd("acme-" + attempt.incrementAndGet())))
			.isLessThanOrEqualTo(A_SECOND);
	}

	/**
	 * Override a key, and wait until all instances have seen that and the end.
	 * @return the longer of both waits
	 */
	private Duration seeAnOverrideAndItsEnd(String key) {
		RateLimiter first = this.instances.get(0).search;
		for (Instance each : this.instances) {
			while (each.search.tryAcquire(key).allowed()) {
				assertThat(each.search.peek(key).limit()).isEqualTo(5);
			}
			assertThat(each.search.tryAcquire(key).origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		}
		first.override(key, KeyOverride.max(900).lasting(Duration.ofSeconds(6)));
		Instant until = first.overrides().get(key).until();
		Duration seen = durationOf(() -> {
			for (Instance each : this.instances) {
				await().until(() -> each.search.overrides().containsKey(key));
				assertThat(each.search.overrides().get(key).until()).isEqualTo(until);
			}
		});
		for (Instance each : this.instances) {
			assertThat(each.search.tryAcquire(key).allowed()).isTrue();
		}
		for (Instance each : this.instances) {
			await().until(() -> !each.search.overrides().containsKey(key));
			assertThat(redisMillis()).isGreaterThanOrEqualTo(until.toEpochMilli());
			assertThat(each.search.tryAcquire(key).allowed()).isFalse();
		}
		Duration ended = Duration.ofMillis(redisMillis() - until.toEpochMilli());
		await().until(() -> Long.valueOf(0).equals(this.redis.command("EXISTS", this.prefix + ":{rules}:keys:search")));
		return (seen.compareTo(ended) > 0) ? seen : ended;
	}

	@Test
	void overridesAreKnownToAnInstanceThatStartsLater() {
		this.instances.get(0).search.override("mallory", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.instances.get(1).search.override("test", KeyOverride.unlimited());
		try (Instance late = new Instance()) {
			assertThat(late.search.overrides()).containsOnlyKeys("mallory", "test");
			Decision denied = late.search.tryAcquire("mallory");
			assertThat(denied.origin()).isEqualTo(Decision.Origin.NONE);
			assertThat(denied.retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
		}
	}

	@Test
	void overridesStayInForceWhileRedisIsGoneAndEndOnTime() {
		Instance instance = this.instances.get(2);
		this.instances.get(0).search.override("mallory", KeyOverride.blocked());
		this.instances.get(0).search.override("acme", KeyOverride.blocked().lasting(Duration.ofSeconds(6)));
		await().until(() -> instance.search.overrides().size() == 2);
		this.redis.close();
		assertThat(instance.search.tryAcquire("acme").allowed()).isFalse();
		await().until(() -> instance.search.tryAcquire("acme").allowed());
		assertThat(instance.search.tryAcquire("mallory").allowed()).isFalse();
	}

	@Test
	void overridesStayInForceIfTheListOfChangesIsLost() {
		this.instances.get(0).search.override("mallory", KeyOverride.blocked());
		for (Instance each : this.instances) {
			await().until(() -> each.search.overrides().containsKey("mallory"));
		}
		this.redis.command("DEL", this.prefix + ":{rules}:key-changes");
		this.instances.forEach((each) -> each.overrides.remove("no rule", "reads what has changed"));
		for (Instance each : this.instances) {
			assertThat(each.search.tryAcquire("mallory").allowed()).isFalse();
		}
	}

	@Test
	void overridesAreKnownToAnInstanceThatStartsAfterTheListOfChangesWasLost() {
		this.instances.get(0).search.override("mallory", KeyOverride.blocked());
		this.redis.command("DEL", this.prefix + ":{rules}:key-changes");
		try (Instance late = new Instance()) {
			assertThat(late.search.overrides()).containsOnlyKeys("mallory");
			this.instances.get(0).search.override("trudy", KeyOverride.blocked());
			await().until(() -> late.search.overrides().size() == 2);
		}
	}

	@Test
	void removalOfAnOverrideThatOthersHaveDeletedReachesAllInstances() {
		this.instances.get(0).search.override("mallory", KeyOverride.blocked());
		for (Instance each : this.instances) {
			await().until(() -> each.search.overrides().containsKey("mallory"));
		}
		this.redis.command("DEL", this.prefix + ":{rules}:keys:search");
		assertThat(this.instances.get(1).search.removeOverride("mallory")).isFalse();
		for (Instance each : this.instances) {
			await().until(() -> each.search.tryAcquire("mallory").allowed());
		}
	}

	@Test
	void unitsThatAnInstanceHoldsAreNoLongerTakenWithAnOverride() {
		Instance instance = this.instances.get(0);
		RateLimiter held = instance.registry.register(RateLimitRule.named("held")
			.limit(10_000, Duration.ofHours(1))
			.algorithm(Algorithm.TOKEN_BUCKET)
			.prefetch(A_SECOND)
			.build());
		List<CompletableFuture<Decision>> calls = Stream
			.generate(() -> held.tryAcquireAsync("acme").toCompletableFuture())
			.limit(2_000)
			.toList();
		assertThat(calls).allSatisfy((call) -> assertThat(call.join().allowed()).isTrue());
		held.override("acme", KeyOverride.max(10));
		assertThat(held.tryAcquire("acme").allowed()).isFalse();
		held.override("acme", KeyOverride.blocked());
		assertThat(held.tryAcquire("acme").origin()).isEqualTo(Decision.Origin.NONE);
		assertThat(held.removeOverride("acme")).isTrue();
		assertThat(held.tryAcquire("acme").allowed()).isTrue();
	}

	private long redisMillis() {
		List<?> time = (List<?>) this.redis.command("TIME");
		return Long.parseLong(String.valueOf(time.get(0))) * 1_000
				+ Long.parseLong(String.valueOf(time.get(1))) / 1_000;
	}

	/**
	 * Instance of the application.
	 */
	private final class Instance implements AutoCloseable {

		private final LettuceConnectionFactory connections = RedisUnderTest
			.connectionsTo(KeyOverridesOnRedisTests.this.redis);

		private final RedisRateLimitStore store = new RedisRateLimitStore(this.connections,
				KeyOverridesOnRedisTests.this.prefix, Duration.ofSeconds(5));

		private final RateLimitEngine engine = Engines.over(this.store, OnStoreFailure.LOCAL,
				new DenyCache(100, Duration.ofMinutes(1)));

		private final RuleOverrideRegistry overrides;

		private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

		private final RateLimiter search;

		private Instance() {
			this.search = this.registry.register(RateLimitRule.named("search").limit(5, Duration.ofHours(1)).build());
			KeyOverrideRegistry keys = new KeyOverrideRegistry(this.registry, this.engine.keys(),
					this.store.overrides(this.connections), LocalClock.monotonic());
			this.engine.keys().writeOverridesBy(() -> keys);
			this.overrides = new RuleOverrideRegistry(this.registry, keys, Clock.systemUTC());
			this.engine.start();
			this.overrides.start();
		}

		@Override
		public void close() {
			this.overrides.close();
			this.engine.close();
			this.store.close();
			this.connections.destroy();
		}

	}

}
