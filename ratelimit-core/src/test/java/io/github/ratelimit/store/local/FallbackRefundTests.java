package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static io.github.ratelimit.store.local.FallbackCalls.DAY;
import static io.github.ratelimit.store.local.FallbackCalls.log;
import static io.github.ratelimit.store.local.FallbackCalls.peek;
import static io.github.ratelimit.store.local.FallbackCalls.rule;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units that the fallback has counted, and that calls refund before or after their
 * charge.
 */
class FallbackRefundTests {

	private long now = AlgorithmOnStore.NOW;

	private final LocalRateLimitStore back = LocalStores.store(() -> this.now);

	private final LocalFallbackStore fallback = LocalStores.fallback(() -> this.now, 1);

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void refundBeforeAChargeReducesIt(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		long slot = call(rule, 3);
		refund(rule, 2, slot);
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(1L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(9);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void refundAfterAChargeIsMadeHereOnly(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		long slot = call(rule, 3);
		charge();
		refund(rule, 2, slot);
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(9);
		assertThat(charge()).isEmpty();
		assertThat(peek(this.back, rule, "key")).isEqualTo(7);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void refundAfterAChargeDoesNotReduceTheNextOne(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		long slot = call(rule, 3);
		charge();
		refund(rule, 3, slot);
		call(rule, 4);
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(4L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(3);
	}

	@Test
	void refundDuringAChargeThatSucceedsIsMadeHereOnly() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		Correction charge = uncharged.begin();
		refund(rule, 2, slot);
		uncharged.succeeded(this.back.correct(List.of(charge)).toCompletableFuture().join().get(0));
		call(rule, 1);
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(1L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(6);
	}

	@Test
	void refundDuringAChargeThatFailsReducesTheNextOne() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		uncharged.begin();
		refund(rule, 2, slot);
		uncharged.failed();
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(1L));
	}

	/**
	 * Neither here nor of what is charged.
	 */
	@Test
	void callThatWaitedWhenItsKeyWasResetRefundsNoUnitsOfNewerCalls() {
		RateLimitRule rule = rule(AlgorithmUnderTest.TOKEN_BUCKET.limit(10, Duration.ofMinutes(1)));
		Demand call = new Demand(rule, "key", 8, Duration.ofHours(1));
		this.fallback.acquire(call);
		Correction older = this.fallback.acquire(call).refunds().get(0);
		this.fallback.reset(call.counts(), call.key());
		this.now++;
		this.fallback.acquire(call);
		this.now = this.fallback.acquire(call).refunds().get(0).countedAt();
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(10L));
		this.fallback.correct(List.of(older));
		this.now += Duration.ofSeconds(6).toNanos() / 1_000;
		call(rule, 1);
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(1L));
	}

	@Test
	void unitsThatHaveExpiredAreNotRefunded() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		charge();
		this.now += DAY.toNanos() / 1_000;
		call(rule, 1);
		refund(rule, 3, slot);
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(1L));
	}

	@Test
	void unitsOfOtherLimitsExpireAlone() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(log(10, Duration.ofHours(1)).withName("hour"))
			.limit(log(10, DAY).withName("day"))
			.build();
		call(rule, 1);
		this.now += Duration.ofHours(2).toNanos() / 1_000;
		call(rule, 1);
		assertThat(charge()).extracting(Correction::charged).containsExactly(List.of(1L, 2L));
	}

	private long call(RateLimitRule rule, long cost) {
		this.now++;
		return this.fallback.acquire(new Demand(rule, "key", cost)).refunds().get(0).countedAt();
	}

	private void refund(RateLimitRule rule, long cost, long slot) {
		this.fallback.correct(List.of(Correction.refund(new Demand(rule, "key", cost), slot)));
	}

	private List<Correction> charge() {
		this.now++;
		return FallbackCalls.charge(this.fallback, this.back);
	}

}
