package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units that calls owe in the fallback, and their charges to the store.
 */
class FallbackDebtTests {

	private final LocalFallbackStore fallback = LocalStores.fallback(() -> AlgorithmOnStore.NOW, 1);

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "FIXED_WINDOW", "WEIGHTED_WINDOW", "SLIDING_WINDOW" })
	void debtIsChargedAfterItsCall(Algorithm algorithm) {
		RateLimitRule rule = rule(algorithm);
		this.fallback.acquire(new Demand(rule, "key", 3));
		assertThat(charge().charged()).containsExactly(3L);
		owe(rule, 4);
		assertThat(remaining(rule)).isEqualTo(3);
		assertThat(charge().charged()).containsExactly(4L);
		assertThat(this.fallback.uncharged()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "FIXED_WINDOW", "WEIGHTED_WINDOW", "SLIDING_WINDOW" })
	void debtBeyondTheLimitIsPaidInTheFallback(Algorithm algorithm) {
		RateLimitRule rule = rule(algorithm);
		this.fallback.acquire(new Demand(rule, "key", 3));
		owe(rule, 40);
		assertThat(remaining(rule)).isZero();
		assertThat(charge().charged().get(0)).isGreaterThanOrEqualTo(10);
	}

	@Test
	void limitWithoutDebtIsLeftAlone() {
		RateLimitRule rule = rule(Algorithm.SLIDING_LOG);
		this.fallback.acquire(new Demand(rule, "key", 3));
		owe(rule, 4);
		assertThat(remaining(rule)).isEqualTo(7);
	}

	private void owe(RateLimitRule rule, long units) {
		this.fallback
			.correct(List.of(AlgorithmOnStore.debt(new Demand(rule, "key", units), AlgorithmOnStore.NOW, false)));
	}

	private long remaining(RateLimitRule rule) {
		return this.fallback.peek(new Demand(rule, "key", 1)).outcomes().get(0).remaining();
	}

	private Correction charge() {
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		Correction charge = uncharged.begin();
		uncharged.succeeded(charge.charged().stream().mapToLong(Long::longValue).toArray());
		return charge;
	}

	private static RateLimitRule rule(Algorithm algorithm) {
		return RateLimitRule.named("rule").limit(10, Duration.ofDays(1)).algorithm(algorithm).build();
	}

}
