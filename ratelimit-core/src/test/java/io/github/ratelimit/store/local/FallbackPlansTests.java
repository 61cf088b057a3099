package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fallback counts that calls of different plans share.
 */
class FallbackPlansTests {

	private static final Duration DAY = Duration.ofDays(1);

	private long now = AlgorithmOnStore.NOW;

	private final LocalRateLimitStore back = LocalStores.store(() -> this.now);

	private final LocalFallbackStore fallback = LocalStores.fallback(() -> this.now, 1);

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
	void unitsUsedAsProAreChargedUnderAnyLaterPlan(AlgorithmUnderTest algorithm) {
		RuleCounts rule = rule(algorithm, DAY);
		acquire(this.fallback, under(rule, "pro"), 300);
		this.now += 1_000;
		assertThat(acquire(this.fallback, under(rule, "free"), 1).admitted()).isFalse();
		acquire(this.fallback, rule, 0);
		assertThat(charge()).isEqualTo(Correction.charge(under(rule, "pro"), demand(rule, 1).key(), List.of(300L), 0));
		assertThat(remaining(this.back, under(rule, "pro"))).isEqualTo(300);
		assertThat(remaining(this.back, under(rule, "free"))).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
	void chargeFitsIntoTheCountOfAnotherPlan(AlgorithmUnderTest algorithm) {
		RuleCounts rule = rule(algorithm, Duration.ofHours(1));
		acquire(this.back, under(rule, "free"), 1);
		acquire(this.fallback, under(rule, "pro"), 300);
		charge();
		assertThat(remaining(this.back, under(rule, "pro"))).isEqualTo(299);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
	void shareOfASmallerPlanForgivesNothing(AlgorithmUnderTest algorithm) {
		LocalFallbackStore half = LocalStores.fallback(() -> this.now, 0.5);
		RuleCounts rule = rule(algorithm, DAY);
		acquire(half, under(rule, "pro"), 200);
		assertThat(acquire(half, under(rule, "free"), 1).admitted()).isFalse();
		assertThat(half.peek(demand(under(rule, "pro"), 1)).outcomes().get(0).remaining()).isEqualTo(100);
	}

	/**
	 * The units fit into the largest count that admitted some of them, even if a call of
	 * a smaller plan was the last.
	 */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
	void unitsAreChargedUnderTheLargestPlanThatCounted(AlgorithmUnderTest algorithm) {
		RuleCounts rule = rule(algorithm, DAY);
		acquire(this.back, under(rule, "pro"), 590);
		acquire(this.fallback, under(rule, "pro"), 1);
		acquire(this.fallback, under(rule, "free"), 1);
		charge();
		assertThat(remaining(this.back, under(rule, "pro"))).isEqualTo(8);
	}

	/**
	 * Of plans that are larger in one limit each, each limit of the larger.
	 */
	@Test
	void eachLimitIsChargedUnderThePlanInWhichItIsLargest() {
		RuleCounts rule = RuleCounts.of(RateLimitRule.named("rule")
			.limit(limit("hour", 100))
			.limit(limit("day", 100))
			.plan("bursts", List.of(limit("hour", 300), limit("day", 200)))
			.plan("steady", List.of(limit("hour", 200), limit("day", 300)))
			.build());
		acquire(this.back, under(rule, "bursts"), 150);
		acquire(this.back, under(rule, "steady"), 45);
		acquire(this.fallback, under(rule, "bursts"), 60);
		acquire(this.fallback, under(rule, "steady"), 15);
		charge();
		assertThat(this.back.peek(demand(under(rule, "bursts"), 1)).outcomes().get(0).remaining()).isEqualTo(30);
		assertThat(this.back.peek(demand(under(rule, "steady"), 1)).outcomes().get(1).remaining()).isEqualTo(30);
	}

	/**
	 * The store has no room for the units, so there is none here either.
	 */
	@Test
	void shareIsUsedUpByAChargeThatLacksUnitsAlsoIfThePlanHasChangedMeanwhile() {
		LocalFallbackStore half = LocalStores.fallback(() -> this.now, 0.5);
		RuleCounts rule = rule(AlgorithmUnderTest.SLIDING_LOG, DAY);
		acquire(half, under(rule, "pro"), 10);
		Uncharged uncharged = half.uncharged().iterator().next();
		assertThat(uncharged.begin()).isNotNull();
		assertThat(acquire(half, rule, 1).admitted()).isTrue();
		assertThat(remaining(half, rule)).isEqualTo(19);
		uncharged.succeeded(new long[] { 4 });
		assertThat(remaining(half, rule)).isZero();
	}

	private static Limit limit(String name, long max) {
		return Limit.builder().name(name).max(max).period(DAY).algorithm(Algorithm.SLIDING_LOG).build();
	}

	private static RuleCounts rule(AlgorithmUnderTest algorithm, Duration free) {
		return RuleCounts.of(RateLimitRule.named("rule")
			.limit(algorithm.limit(60, DAY))
			.plan("free",
					(algorithm == AlgorithmUnderTest.CALENDAR_WINDOW) ? algorithm.limit(2, DAY)
							: algorithm.limit(2, free))
			.plan("pro", algorithm.limit(600, DAY))
			.build());
	}

	private static RuleCounts under(RuleCounts rule, String plan) {
		return Objects.requireNonNull(RuleVariants.of(rule).under(plan));
	}

	private static LimitOutcome acquire(RateLimitStore store, RuleCounts counts, long cost) {
		return store.acquire(demand(counts, cost)).get(0).outcomes().get(0);
	}

	private static LimitOutcome acquire(LocalFallbackStore store, RuleCounts counts, long cost) {
		return store.acquire(demand(counts, cost)).get(0).outcomes().get(0);
	}

	private static long remaining(RateLimitStore store, RuleCounts counts) {
		return store.peek(demand(counts, 1)).outcomes().get(0).remaining();
	}

	private static long remaining(LocalFallbackStore store, RuleCounts counts) {
		return store.peek(demand(counts, 1)).outcomes().get(0).remaining();
	}

	private static Demand demand(RuleCounts counts, long cost) {
		return new Demand(counts, "key", cost);
	}

	private Correction charge() {
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		Correction charge = Objects.requireNonNull(uncharged.begin());
		uncharged.succeeded(this.back.correct(List.of(charge)).toCompletableFuture().join().get(0));
		return charge;
	}

}
