package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limits of calls that run at once.
 */
class SlotRuleTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Limit SLOTS = Limit.ofConcurrency(3);

	@Test
	void limitHasNoPeriodAndTheUsualLease() {
		assertThat(SLOTS.hasSlots()).isTrue();
		assertThat(SLOTS.period()).isZero();
		assertThat(SLOTS.capacity()).isEqualTo(3);
		assertThat(SLOTS.lease()).isEqualTo(Duration.ofSeconds(30));
		assertThat(SLOTS).hasToString("concurrency 3")
			.isEqualTo(SLOTS.withMax(3))
			.isNotEqualTo(SLOTS.withLease(MINUTE));
	}

	@Test
	void canBeOneOfSeveralLimits() {
		Limit rate = Limit.of(5, MINUTE).withName("minute");
		RateLimitRule rule = RateLimitRule.named("export").limit(SLOTS.withName("running")).limit(rate).build();
		assertThat(rule.limits()).extracting(Limit::hasSlots).containsExactly(true, false);
	}

	@Test
	void planChangesMax() {
		RateLimitRule rule = RateLimitRule.named("export").limit(SLOTS).plan("pro", Limit.ofConcurrency(9)).build();
		assertThat(rule.plans().get("pro")).containsExactly(SLOTS.withMax(9));
	}

	@Test
	void maxMayFollowTheLoad() {
		Adaptive adaptive = new Adaptive("cpu", new Adaptive.Point(0.5, 10), new Adaptive.Point(0.9, 2));
		assertThat(SLOTS.withAdaptive(adaptive).adaptive()).isEqualTo(adaptive);
	}

	@Test
	void periodIsRefused() {
		assertRefused(() -> Limit.of(3, MINUTE).withAlgorithm(Algorithm.CONCURRENCY),
				"period = 1m is invalid: concurrency limits the calls that run at once, not the calls per period.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.999S", "PT1H0.001S" })
	void leaseIsBounded(Duration lease) {
		assertRefused(() -> SLOTS.withLease(lease), "lease = ");
	}

	@Test
	void leaseHasNoEffectBesideOtherAlgorithms() {
		assertRefused(() -> Limit.of(3, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET).withLease(MINUTE),
				"lease = 1m is invalid: it has no effect with the algorithm token-bucket, only with concurrency.");
	}

	@Test
	void whatConcernsPeriodsIsRefused() {
		assertRefused(() -> SLOTS.withMinInterval(MINUTE), "min-interval = 1m is invalid: concurrency limits");
		assertRefused(() -> SLOTS.withCountDenied(true), "count-denied = true is invalid: it has no effect");
		assertRefused(() -> SLOTS.withBurst(3), "burst = 3 is invalid: it has no effect");
		assertRefused(() -> SLOTS.toBuilder().calendar(CalendarUnit.DAY).build(),
				"calendar = day is invalid: concurrency limits");
	}

	@Test
	void waitsForARunningCallAreRefused() {
		assertRefused(() -> RateLimitRule.named("export").limit(SLOTS).maxWait(MINUTE).build(),
				"max-wait = 1m is invalid: it is unknown when running calls end");
	}

	@Test
	void prefetchAndBanAreRefused() {
		assertRefused(() -> RateLimitRule.named("export").limit(SLOTS).prefetch(Duration.ofMillis(20)).build(),
				"prefetch = 20ms is invalid: an instance would hold slots that no call uses");
		assertRefused(() -> RateLimitRule.named("export").limit(SLOTS).ban(new Ban(3, MINUTE, MINUTE)).build(),
				"ban = after 3 denials within 1m for 1m is invalid: a key whose calls run long");
	}

	@Test
	void planCannotChangeTheLease() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> RateLimitRule.named("export")
				.limit(SLOTS)
				.plan("pro", List.of(Limit.ofConcurrency(9).withLease(MINUTE)))
				.build())
			.withMessageContaining("a plan changes max, period and burst only");
	}

	private static void assertRefused(Runnable rule, String message) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(rule::run)
			.withMessageStartingWith(message);
	}

}
