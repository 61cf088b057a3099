package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The state of a key names what its calls owe.
 */
class OwedUnitsTests {

	private static final Duration DAYS = Duration.ofDays(10);

	private final RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100), OnStoreFailure.DENY);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	static Stream<Limit> limits() {
		Limit limit = Limit.of(100, DAYS);
		return Stream.of(limit.withAlgorithm(Algorithm.TOKEN_BUCKET),
				limit.withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(7), limit.withAlgorithm(Algorithm.FIXED_WINDOW),
				limit.withAlgorithm(Algorithm.SLIDING_WINDOW), limit.withAlgorithm(Algorithm.WEIGHTED_WINDOW),
				Limit.ofCalendar(100, CalendarUnit.YEAR, ZoneOffset.UTC));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void unitsBeyondTheLimitAreOwed(Limit limit) {
		RateLimiter model = this.registry.register(rule(limit));
		model.reserve("key", 1).settle(limit.capacity());
		assertThat(owed(model)).isEmpty();
		this.engine.keys().reset(((RuleLimiter) model).counts(), "key");
		model.reserve("key", 1).settle(limit.capacity() + 120);
		assertThat(owed(model)).isEqualTo(Map.of("model", 120L));
		assertThat(model.tryAcquire("key").allowed()).isFalse();
		model.refund("key", 60);
		assertThat(owed(model)).isEqualTo(Map.of("model", 60L));
	}

	/**
	 * The key is stored as its hash.
	 */
	@Test
	void unitsOfALongKeyAreOwedToo() {
		String key = "k".repeat(129);
		RateLimiter model = this.registry.register(rule(Limit.of(10, DAYS).withAlgorithm(Algorithm.TOKEN_BUCKET)));
		model.reserve(key, 1).settle(15);
		assertThat(owed(model, key)).isEqualTo(Map.of("model", 5L));
	}

	@Test
	void onlyLimitsWithADebtAreNamed() {
		RateLimiter model = this.registry.register(RateLimitRule.named("model")
			.limit(Limit.of(10, DAYS).withName("all").withAlgorithm(Algorithm.TOKEN_BUCKET))
			.limit(Limit.of(100, DAYS).withName("many").withAlgorithm(Algorithm.FIXED_WINDOW))
			.build());
		model.reserve("key", 1).settle(15);
		assertThat(owed(model)).isEqualTo(Map.of("model-all", 5L));
	}

	/**
	 * No state tells them apart from units that are owed.
	 */
	@Test
	void unitsBeyondALoweredCapacityAreNamedAsWell() {
		Limit limit = Limit.of(100, DAYS).withAlgorithm(Algorithm.TOKEN_BUCKET);
		RateLimiter model = this.registry.register(rule(limit));
		model.reserve("key", 100).close();
		RateLimiter lowered = this.registry.register(rule(limit.withBurst(10)));
		assertThat(lowered.peek("key").remaining()).isZero();
		assertThat(owed(lowered)).isEqualTo(Map.of("model", 90L));
	}

	private Map<String, Long> owed(RateLimiter limiter) {
		return owed(limiter, "key");
	}

	private Map<String, Long> owed(RateLimiter limiter, String key) {
		return this.engine.keys().state(new Demand(limiter.rule(), key, 1)).owed();
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("model").limit(limit).build();
	}

}
