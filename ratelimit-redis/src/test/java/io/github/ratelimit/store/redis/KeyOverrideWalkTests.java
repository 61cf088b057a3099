package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls of keys that are overridden at random: both stores decide equally, field
 * by field, a denied call changes nothing, and a retry after the announced time is
 * admitted.
 */
class KeyOverrideWalkTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 50;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private long now;

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void storesAgreeAndLawsHold(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		ScriptRunner runner = new RedisStoreUnderTest.LongLived();
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			this.now = 1_700_000_000_000_000L + random.nextInt(1_000_000);
			RateLimitRule rule = RateLimitRule.named("walk").limit(algorithm.randomLimit(random)).build();
			LongSupplier clock = () -> this.now;
			LocalRateLimitStore local = new LocalRateLimitStore(100, clock);
			RedisRateLimitStore redis = new RedisRateLimitStore(
					new RedisSetup(runner, UUID.randomUUID().toString(), PATIENCE, RedisSharding.NONE, clock));
			Side java = new Side(local, new LocalOverrideStore(clock), rule, clock);
			Side lua = new Side(redis, redis.overrides(RedisUnderTest.connections()), rule, clock);
			Walk steps = new Walk(random, algorithm, rule.limits().get(0), java, lua);
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				steps.next("seed " + seed + ", walk " + walk + ", step " + i + ": ");
			}
		}
	}

	private final class Walk {

		private final Random random;

		private final AlgorithmUnderTest algorithm;

		private final Limit limit;

		private final Side java;

		private final Side lua;

		private Decision last;

		private Walk(Random random, AlgorithmUnderTest algorithm, Limit limit, Side java, Side lua) {
			this.random = random;
			this.algorithm = algorithm;
			this.limit = limit;
			this.java = java;
			this.lua = lua;
		}

		private void next(String step) {
			KeyOverrideWalkTests.this.now += gap();
			String key = this.random.nextBoolean() ? "acme" : "other";
			if (this.random.nextInt(4) == 0) {
				Consumer<RateLimiter> change = change(key);
				change.accept(this.java.limiter);
				change.accept(this.lua.limiter);
			}
			assertThat(this.lua.limiter.overrides()).as(step).isEqualTo(this.java.limiter.overrides());
			if (this.random.nextInt(8) == 0) {
				long units = this.random.nextInt(3);
				this.java.limiter.refund(key, units);
				this.lua.limiter.refund(key, units);
			}
			long cost = cost();
			Decision before = decide(step, key, 0);
			this.last = decide(step, key, cost);
			if (!this.last.allowed()) {
				assertThat(decide(step, key, 0)).as(step).isEqualTo(before);
				retry(step, key, cost);
			}
		}

		/**
		 * Call again one microsecond before the announced time and at it, unless a rule
		 * or an override decides then that is not the same.
		 */
		private void retry(String step, String key, long cost) {
			KeyOverride override = this.java.limiter.overrides().get(key);
			boolean staysTheSame = override == null || (override.until() == null && !override.isBlocked());
			Duration wait = this.last.retryAfter();
			if (!staysTheSame || wait.equals(Decision.NEVER) || this.random.nextInt(3) > 0) {
				return;
			}
			long micros = wait.toNanos() / 1000;
			KeyOverrideWalkTests.this.now += micros - 1;
			assertThat(decide(step, key, cost).allowed()).as(step).isFalse();
			KeyOverrideWalkTests.this.now += 1;
			assertThat(decide(step, key, cost).allowed()).as(step).isTrue();
		}

		private Decision decide(String step, String key, long cost) {
			Decision decision = this.java.limiter.tryAcquire(key, cost);
			assertThat(text(this.lua.limiter.tryAcquire(key, cost)))
				.as(() -> step + this.limit + ", " + cost + " of " + key + " under " + this.java.limiter.overrides()
						+ " at " + KeyOverrideWalkTests.this.now)
				.isEqualTo(text(decision));
			return decision;
		}

		private static String text(Decision decision) {
			return decision.toString().replaceAll("origin=(REDIS|LOCAL)", "counted");
		}

		private Consumer<RateLimiter> change(String key) {
			if (this.random.nextInt(4) == 0) {
				return (limiter) -> limiter.removeOverride(key);
			}
			KeyOverride override = switch (this.random.nextInt(6)) {
				case 0 -> KeyOverride.blocked();
				case 1 -> KeyOverride.unlimited();
				default -> KeyOverride
					.max(1 + this.random.nextLong(Math.min(this.algorithm.largestMax(), 2 * this.limit.max())));
			};
			boolean ends = this.random.nextBoolean();
			KeyOverride written = ends ? override.lasting(Duration.of(
					1_000 + this.random
						.nextLong(Math.min(2 * this.limit.periodMicros(), Duration.ofDays(300).toNanos() / 1000)),
					ChronoUnit.MICROS)) : override;
			return (limiter) -> {
				try {
					limiter.override(key, written);
				}
				catch (RateLimitConfigurationException ex) {
					// this limit cannot have that max
				}
			};
		}

		private long gap() {
			return switch (this.random.nextInt(4)) {
				case 0 -> 0;
				case 1 -> this.random.nextLong(1 + this.limit.periodMicros() / this.limit.max());
				case 2 -> this.random.nextLong(1 + this.limit.periodMicros());
				default -> (this.last != null && !this.last.retryAfter().equals(Decision.NEVER))
						? this.last.retryAfter().toNanos() / 1000 : 1;
			};
		}

		private long cost() {
			return switch (this.random.nextInt(4)) {
				case 0 -> this.random.nextLong(1 + this.limit.capacity());
				case 1 -> (this.last != null) ? this.last.remaining() : 1;
				default -> 1;
			};
		}

	}

	/**
	 * Instance of an application on one of the stores.
	 */
	private static final class Side {

		private final RateLimiter limiter;

		private Side(RateLimitStore store, OverrideStore overrides, RateLimitRule rule, LongSupplier clock) {
			RateLimitEngine engine = Engines.over(store, OnStoreFailure.DENY);
			RuleRegistry registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
			this.limiter = registry.register(rule);
			KeyOverrideRegistry keys = new KeyOverrideRegistry(registry, engine.keys(), overrides, clock);
			engine.keys().writeOverridesBy(() -> keys);
		}

	}

}
