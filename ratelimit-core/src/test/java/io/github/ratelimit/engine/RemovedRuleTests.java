package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Retained;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rule that was removed leaves nothing behind but the units it has counted.
 */
class RemovedRuleTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final AtomicLong clock = new AtomicLong();

	private final LocalRateLimitStore local = new LocalRateLimitStore(100, this.clock::get);

	private static RuleRegistry registry(RateLimitStore store) {
		return registry(engine(store));
	}

	private static RuleRegistry registry(RateLimitEngine engine) {
		return new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
	}

	private static RateLimitEngine engine(RateLimitStore store) {
		RateLimitEngine engine = Engines.over(store, OnStoreFailure.LOCAL,
				(store instanceof FailingStore) ? new DenyCache(100, HOUR) : null);
		engine.recordTopTalkers(10, true);
		return engine;
	}

	private static RateLimitRule rule(String name, boolean tried) {
		RateLimitRule.Builder rule = RateLimitRule.named(name).limit(1, HOUR);
		return (tried ? rule.candidate("strict", Limit.of(1, HOUR)) : rule).build();
	}

	/** Let the counters of all rules expire, and another rule take their place. */
	private void expire(RateLimiter other) {
		IntStream.range(0, 5).forEach((again) -> {
			this.clock.addAndGet(2 * HOUR.toNanos() / 1000);
			other.tryAcquire("key");
		});
	}

	@ParameterizedTest
	@CsvSource({ "false, false", "false, true", "true, false", "true, true" })
	void ruleIsNotKept(boolean isRemote, boolean tried) {
		RuleRegistry registry = registry(isRemote ? new FailingStore(this.local) : this.local);
		RateLimiter other = registry.register(rule("other", tried));
		assertThat(Retained.objects((i) -> {
			String name = "customer-" + i;
			RateLimiter limiter = registry.register(rule(name, tried));
			limiter.tryAcquire("key");
			limiter.tryAcquire("key");
			registry.remove(name);
			expire(other);
			return name;
		}, () -> registry.register(rule("other", tried)).tryAcquire("key"))).isZero();
	}

	@Test
	void ruleThatIsNeverCalledIsNotKept() {
		RuleRegistry registry = registry(this.local);
		assertThat(Retained.objects((i) -> {
			String name = "customer-" + i;
			registry.register(rule(name, false));
			registry.remove(name);
			return name;
		}, () -> registry.register(rule("other", false)))).isZero();
	}

	@Test
	void ruleIsNotKeptWhileAKeyOfAnotherIsBlocked() {
		RateLimitEngine engine = engine(this.local);
		RuleRegistry registry = registry(engine);
		RateLimiter other = registry.register(rule("other", false));
		engine.keys().verdicts().block("other", "blocked", HOUR);
		assertThat(Retained.objects((i) -> {
			String name = "customer-" + i;
			registry.register(RateLimitRule.named(name).limit(1, HOUR).mode(Mode.SHADOW).build()).tryAcquire("key");
			registry.remove(name);
			expire(other);
			return name;
		}, () -> registry.register(rule("other", false)).tryAcquire("key"))).isZero();
	}

	@Test
	void ruleWithReservationsIsNotKept() {
		RuleRegistry registry = registry(this.local);
		RateLimiter other = registry.register(rule("other", false));
		assertThat(Retained.objects((i) -> {
			String name = "customer-" + i;
			registry.register(rule(name, false)).reserve("key", 1).cancel();
			registry.remove(name);
			expire(other);
			return name;
		}, () -> registry.register(rule("other", false)).tryAcquire("key"))).isZero();
	}

	@Test
	void blockedKeyIsAlsoBlockedByTheLimiterOfARuleThatIsRegisteredAgain() {
		RateLimitEngine engine = engine(this.local);
		RuleRegistry registry = registry(engine);
		engine.keys().verdicts().block("other", "blocked", HOUR);
		RateLimiter removed = registry.register(rule("customer", false));
		removed.tryAcquire("key");
		registry.remove("customer");
		registry.register(rule("customer", false));
		engine.keys().verdicts().block("customer", "blocked", HOUR);
		assertThat(removed.tryAcquire("blocked").allowed()).isFalse();
	}

	@Test
	void unitsStayCounted() {
		RuleRegistry registry = registry(this.local);
		RateLimiter removed = registry.register(rule("customer", false));
		assertThat(removed.tryAcquire("key").allowed()).isTrue();
		registry.remove("customer");
		RateLimiter limiter = registry.register(rule("customer", false));
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
		assertThat(limiter.tryAcquire("other").allowed()).isTrue();
		assertThat(removed.tryAcquire("other").allowed()).isFalse();
	}

	@Test
	void limiterOfARemovedRuleCountsWithThatOfTheRuleThatIsRegisteredAgain() {
		RuleRegistry registry = registry(this.local);
		RateLimiter removed = registry.register(rule("customer", false));
		RateLimiter other = registry.register(rule("other", false));
		removed.tryAcquire("key");
		registry.remove("customer");
		expire(other);
		RateLimiter limiter = registry.register(rule("customer", false));
		assertThat(removed.tryAcquire("key").allowed()).isTrue();
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
		assertThat(limiter.tryAcquire("later").allowed()).isTrue();
		assertThat(removed.tryAcquire("later").allowed()).isFalse();
	}

}
