package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A rule of which the fallback's share is no unit is refused when it is defined or
 * changed, not in an outage.
 */
class FallbackShareTests {

	private static final RateLimitRule COLD = rule(10);

	private final RuleRegistry registry = registry(new FailingStore(), OnStoreFailure.LOCAL);

	@Test
	void rulesOfTheEnvironmentAreRefused() {
		LimitAttributes cold = Definitions.limit(10L, 60)
			.with(LimitAttribute.ALGORITHM, Algorithm.WARM_UP)
			.with(LimitAttribute.WARM_UP_PERIOD, Duration.ofSeconds(10));
		RuleRegistry configured = registry(new FailingStore(), OnStoreFailure.LOCAL,
				Definitions.properties("cold", cold));
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> configured.verify(FallbackShareTests::refuse))
			.withMessage(
					"ratelimit.redis.fallback-share = 0.5 is invalid: while the store cannot answer, one instance would "
							+ "count the rule \"cold\", warm-up 10 per 1m, with a max of 5, and then warm-up-period = 10s is "
							+ "invalid: at 5 per 1m not a single unit is admitted in it. Write a longer one, or another "
							+ "algorithm. Write a larger share, or on-store-failure: allow or deny for this rule.");
	}

	@Test
	void annotatedRulesAreRefused() {
		LimitAttributes cold = Definitions.limit(10L, 60)
			.with(LimitAttribute.ALGORITHM, Algorithm.WARM_UP)
			.with(LimitAttribute.WARM_UP_PERIOD, Duration.ofSeconds(10));
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.registry.define(Definitions.annotation("cold", cold)))
			.withMessageContaining("fallback-share");
	}

	@Test
	void rulesOfProgramsAreRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> this.registry.register(COLD))
			.withMessageContaining("fallback-share");
	}

	@Test
	void changesAtRunTimeAreRefusedAndNeverTakeEffect() {
		this.registry.register(rule(12));
		RuleOverride change = RuleOverrideTests.max("cold", 10);
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.registry.validate(change))
			.withMessageContaining("fallback-share");
		try (RecordedLog log = new RecordedLog(OverriddenRules.class)) {
			this.registry.override(List.of(change), List.of());
			assertThat(log.lines()).singleElement().asString().contains("fallback-share");
		}
		assertThat(this.registry.limiter("cold").rule().limits().get(0).max()).isEqualTo(12);
	}

	@Test
	void numbersOfAKeyAreIgnoredIfTheRuleHasChangedSinceTheyWereAccepted() {
		FailingStore store = new FailingStore();
		RateLimitEngine engine = new RateLimitEngine(store, () -> OnStoreFailure.LOCAL,
				new LocalFallbackStore(100, 0.5));
		RateLimiter cold = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of()).register(rule(12));
		engine.keys().verdicts().put("cold", "acme", KeyOverride.max(10));
		store.failure = new StoreException("gone", null, "timeout", true, null);
		try (RecordedLog log = new RecordedLog(KeyNumbers.class)) {
			assertThat(cold.tryAcquire("acme").origin()).isEqualTo(Decision.Origin.FALLBACK);
			assertThat(log.lines()).singleElement().asString().contains("fallback-share");
		}
		assertThat(engine.keys().exemption(cold.rule(), "acme").ignoredBecause()).contains("fallback-share");
		engine.close();
	}

	@Test
	void rulesThatTheFallbackDoesNotCountAreNotRefused() {
		assertThatNoException().isThrownBy(() -> registry(new FailingStore(), OnStoreFailure.ALLOW).register(COLD));
		assertThatNoException()
			.isThrownBy(() -> registry(new LocalRateLimitStore(10), OnStoreFailure.LOCAL).register(COLD));
	}

	private static RuleRegistry registry(RateLimitStore store, OnStoreFailure policy, RuleDefinition... configured) {
		RateLimitEngine engine = new RateLimitEngine(store, () -> policy, new LocalFallbackStore(100, 0.5));
		return new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of(configured));
	}

	private static RateLimitRule rule(long max) {
		return RateLimitRule.named("cold")
			.limit(max, Duration.ofMinutes(1))
			.algorithm(Algorithm.WARM_UP)
			.warmUpPeriod(Duration.ofSeconds(10))
			.build();
	}

	private static void refuse(RateLimitConfigurationException mistake) {
		throw mistake;
	}

}
