package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Refunds of calls whose rule has changed: they forgive nothing that was counted since.
 */
class RulesInForceTests {

	private final RateLimitEngine engine = new RateLimitEngine(new LocalRateLimitStore(100), () -> OnStoreFailure.LOCAL,
			new LocalFallbackStore(100, 1));

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	@AfterEach
	void close() {
		this.engine.close();
	}

	@ParameterizedTest
	@EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE,
			names = { "DEFAULT", "LEAKY_BUCKET", "WARM_UP", "CONCURRENCY" })
	void raisedLimitKeepsItsCounts(Algorithm algorithm) {
		DecidedCall first = acquire(register(2, algorithm), 2);
		RateLimitRule raised = register(100, algorithm);
		assertThat(acquire(raised, 98).isAllowed()).isTrue();
		first.refund();
		assertThat(remaining(raised)).isBetween(1L, 2L);
	}

	@Test
	void algorithmThatDidNotCountTheCallGivesNothingBack() {
		DecidedCall first = acquire(register(10, Algorithm.SLIDING_LOG), 5);
		RateLimitRule changed = register(10, Algorithm.TOKEN_BUCKET);
		acquire(changed, 5);
		first.refund();
		assertThat(remaining(changed)).isEqualTo(5);
	}

	@Test
	void ruleThatIsNotRegisteredIsRefundedByItself() {
		RateLimitRule rule = rule(10, Algorithm.SLIDING_LOG);
		acquire(rule, 5).refund();
		assertThat(remaining(rule)).isEqualTo(10);
	}

	private RateLimitRule register(long max, Algorithm algorithm) {
		RateLimitRule rule = rule(max, algorithm);
		this.registry.register(rule);
		return rule;
	}

	private static RateLimitRule rule(long max, Algorithm algorithm) {
		return RateLimitRule.named("changing").limit(max, Duration.ofDays(100)).algorithm(algorithm).build();
	}

	private DecidedCall acquire(RateLimitRule rule, long cost) {
		return this.engine.acquire(new Demand(rule, "key", cost));
	}

	private long remaining(RateLimitRule rule) {
		return this.engine.keys().peek(new Demand(rule, "key", 1)).remaining();
	}

}
