package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PrefetchRuleTests {

	private static final Duration PREFETCH = Duration.ofMillis(20);

	private static final Limit LIMIT = Limit.of(5, Duration.ofSeconds(60));

	@Test
	void ruleDoesNotPrefetchByDefault() {
		assertThat(RateLimitRule.named("reply").limit(LIMIT).build().prefetch()).isNull();
		assertThat(RateLimitRule.named("reply").limit(LIMIT).prefetch(null).build().prefetch()).isNull();
	}

	@Test
	void changedCopiesPrefetchAsWell() {
		RateLimitRule rule = RateLimitRule.named("reply").limit(LIMIT).prefetch(PREFETCH).build();
		assertThat(rule.withLimits(List.of(LIMIT.withMax(7))).prefetch()).isEqualTo(PREFETCH);
		assertThat(rule.withMode(Mode.SHADOW).prefetch()).isEqualTo(PREFETCH);
		assertThat(rule).isNotEqualTo(RateLimitRule.named("reply").limit(LIMIT).build());
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "LEAKY_BUCKET", "WARM_UP", "CONCURRENCY" })
	void countingAlgorithmsPrefetch(Algorithm algorithm) {
		assertThat(rule(LIMIT.withAlgorithm(algorithm)).prefetch()).isEqualTo(PREFETCH);
	}

	@ParameterizedTest
	@EnumSource(names = { "LEAKY_BUCKET", "WARM_UP" })
	void algorithmsThatPaceCallsDoNot(Algorithm algorithm) {
		assertRefused(Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(algorithm),
				"prefetch = 20ms is invalid: " + algorithm.yamlName() + " paces calls one after the other");
	}

	@Test
	void callsWithAMinimumIntervalAreNotPrefetched() {
		assertRefused(LIMIT.withMinInterval(Duration.ofMillis(200)),
				"prefetch = 20ms is invalid: min-interval keeps calls of all instances 200ms apart");
	}

	@Test
	void deniedCallsThatCountAreNotPrefetched() {
		assertRefused(LIMIT.withAlgorithm(Algorithm.SLIDING_LOG).withCountDenied(true),
				"prefetch = 20ms is invalid: count-denied counts every denied call at once");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, 999, 1_000_001 })
	void timeIsFromAMillisecondToASecond(long micros) {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> RateLimitRule.named("reply").prefetch(Duration.ofNanos(micros * 1000)))
			.withMessageContaining("it has to be between 1 ms and 1 s.");
	}

	private static void assertRefused(Limit limit, String message) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> rule(limit))
			.withMessageStartingWith(message)
			.withMessageContaining("Remove it, or ");
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("reply").limit(limit).prefetch(PREFETCH).build();
	}

}
