package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static io.github.ratelimit.store.local.FallbackCalls.DAY;
import static io.github.ratelimit.store.local.FallbackCalls.charge;
import static io.github.ratelimit.store.local.FallbackCalls.log;
import static io.github.ratelimit.store.local.FallbackCalls.peek;
import static io.github.ratelimit.store.local.FallbackCalls.rule;
import static io.github.ratelimit.store.local.FallbackCalls.take;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fallback learns from the store how many units are left.
 */
class FallbackLearningTests {

	private final LocalRateLimitStore back = new LocalRateLimitStore(1_000);

	private final LocalFallbackStore fallback = new LocalFallbackStore(1_000, 1);

	private long now = AlgorithmOnStore.NOW;

	private final LocalFallbackStore clocked = LocalStores.fallback(() -> this.now, 1);

	@ParameterizedTest
	@EnumSource
	void fallbackLearnsTheUnitsLeftInTheStore(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		Demand one = new Demand(rule, "key", 1);
		take(this.fallback, rule, "key", 1);
		charge(this.fallback, this.back);
		while (this.back.acquire(one).get(0).outcomes().get(0).admitted()) {
			continue;
		}
		this.fallback.learn(this.back.acquire(one));
		assertThat(this.fallback.peek(one).outcomes().get(0).admitted()).isFalse();
		take(this.fallback, rule, "key", 1);
		assertThat(charge(this.fallback, this.back)).isEmpty();
	}

	/**
	 * The fallback counted as many units as the store, but earlier.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW" })
	void fallbackHasNoUnitsBackBeforeTheStoreHas(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, Duration.ofSeconds(60)));
		LocalRateLimitStore store = LocalStores.store(() -> this.now);
		Demand one = new Demand(rule, "key", 1);
		IntStream.range(0, 10).forEach((i) -> this.clocked.acquire(one));
		charge(this.clocked, LocalStores.store(() -> this.now));
		this.now += 35_000_000;
		IntStream.range(0, 10).forEach((i) -> this.clocked.learn(store.acquire(one)));
		assertThat(this.clocked.uncharged()).isEmpty();
		for (int i = 0; i < 120; i++) {
			assertThat(peek(this.clocked, rule, "key")).as("after %d s", i)
				.isLessThanOrEqualTo(peek(store, rule, "key"));
			this.now += 1_000_000;
		}
		assertThat(peek(this.clocked, rule, "key")).isEqualTo(peek(store, rule, "key"));
	}

	@Test
	void fallbackAdmitsNoMoreThanTheStoreHasLeftBesideUnchargedUnits() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.back, rule, "key", 4);
		take(this.fallback, rule, "key", 3);
		this.fallback.learn(this.back.acquire(new Demand(rule, "key", 1)));
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(2);
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(3L));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void fallbackLearnsTheUnitsLeftOfEachLimit(boolean hasInterval) {
		Limit daily = log(10, DAY).withName("day");
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(hasInterval ? daily.withMinInterval(Duration.ofMillis(1)) : daily)
			.limit(log(5, Duration.ofHours(1)).withName("hour"))
			.build();
		LocalRateLimitStore store = LocalStores.store(() -> this.now);
		Demand one = new Demand(rule, "key", 1);
		take(this.clocked, rule, "key", 1);
		for (int i = 0; i < 4; i++) {
			this.now += 1_000;
			this.clocked.learn(store.acquire(one));
		}
		assertThat(this.clocked.peek(one).outcomes()).extracting(LimitOutcome::remaining).containsExactly(5L, 0L);
	}

	@Test
	void nothingIsLearnedOfKeysThatHaveNotFailed() {
		RateLimitRule rule = rule(log(10, DAY));
		this.fallback.learn(this.back.acquire(new Demand(rule, "key", 4)));
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(10);
	}

}
