package io.github.ratelimit;

import java.time.Duration;

import io.github.ratelimit.Adaptive.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AdaptiveTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@ParameterizedTest
	@CsvSource({ "0, 1000", "100, 1000", "1024, 1000", "1536, 550", "2048, 100", "3072, 100", "-Infinity, 1000",
			"Infinity, 100" })
	void maxIsLinearBetweenThePointsAndConstantOutside(double load, long max) {
		assertThat(adaptive(1024, 1000, 2048, 100).maxAt(load)).isEqualTo(max);
	}

	@ParameterizedTest
	@CsvSource({ "1, 9", "2, 8", "9, 1", "0.01, 9" })
	void maxIsRoundedDown(double load, long max) {
		assertThat(adaptive(0, 10, 10, 1).maxAt(load)).isEqualTo(max);
	}

	@ParameterizedTest
	@CsvSource({ "0.1, 1", "0.5, 1", "0.7, 500", "0.9, 1000", "1, 1000" })
	void maxMayRiseWithTheLoad(double load, long max) {
		assertThat(adaptive(0.5, 1, 0.9, 1000).maxAt(load)).isEqualTo(max);
	}

	@Test
	void maxIsNeverBelowTheSmallerOne() {
		Adaptive adaptive = adaptive(0.1, 1_000_000_000, 0.3, 999_999_999);
		for (double load = 0; load < 0.4; load = Math.nextUp(load) + 1e-4) {
			assertThat(adaptive.maxAt(load)).isBetween(999_999_999L, 1_000_000_000L);
		}
		assertThat(adaptive.maxAt(Math.nextDown(0.3))).isEqualTo(999_999_999);
		assertThat(adaptive.maxAt(Double.NaN)).isEqualTo(999_999_999);
	}

	@Test
	void lowPointIsBelowTheHighOne() {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> adaptive(0.9, 100, 0.6, 1000))
			.withMessage("adaptive.high.at = 0.6 is invalid: it has to be above adaptive.low.at, which is 0.9. "
					+ "Write the lower load as low, {low: {at: 0.6, max: 1000}, high: {at: 0.9, max: 100}} "
					+ "for example.");
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> adaptive(0.9, 100, 0.9, 1000));
	}

	@Test
	void loadIsAFiniteNumber() {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> new Point(Double.NaN, 1));
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> new Point(Double.POSITIVE_INFINITY, 1));
	}

	@Test
	void signalHasAName() {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> new Adaptive(" ", new Point(0, 2), new Point(1, 1)))
			.withMessageStartingWith("adaptive.signal = \" \" is invalid: ");
	}

	@Test
	void limitWithoutMaxHasThatOfLowLoad() {
		Limit limit = Limit.builder().period(MINUTE).adaptive(adaptive(0.6, 1000, 0.9, 100)).build();
		assertThat(limit.max()).isEqualTo(1000);
		assertThat(limit.withMax(550).max()).isEqualTo(550);
		assertThat(limit.withMax(550).capacity()).isEqualTo(550);
	}

	@Test
	void limitIsPossibleAtBothPoints() {
		Limit limit = Limit.of(1000, MINUTE);
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> limit.withAdaptive(adaptive(0.6, 1000, 0.9, 0)))
			.withMessageStartingWith("adaptive.high.max = 0 is invalid: it has to be between 1 and 1000000000.");
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> limit.withWarmUpPeriod(Duration.ofSeconds(10))
				.withAlgorithm(Algorithm.WARM_UP)
				.withAdaptive(adaptive(0.6, 1000, 0.9, 1)))
			.withMessageStartingWith("warm-up-period = 10s is invalid: at 1 per 1m not a single unit is admitted");
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> Limit.of(1000, Duration.ofDays(366))
				.withAlgorithm(Algorithm.TOKEN_BUCKET)
				.withBurst(1000)
				.withAdaptive(adaptive(0.6, 1000, 0.9, 1)))
			.withMessageStartingWith("burst = 1000 is invalid: at 1 per 366d");
	}

	@Test
	void ruleIsAdaptiveWhenALimitIs() {
		Limit minute = Limit.of(5, MINUTE).withName("minute");
		Limit hour = Limit.of(50, Duration.ofHours(1)).withName("hour");
		assertThat(RateLimitRule.named("a").limit(minute).limit(hour).build().isAdaptive()).isFalse();
		assertThat(RateLimitRule.named("a")
			.limit(minute)
			.limit(hour.withAdaptive(adaptive(0.6, 50, 0.9, 5)))
			.build()
			.isAdaptive()).isTrue();
		assertThat(RateLimitRule.named("a").limit(5, MINUTE).adaptive(adaptive(0.6, 50, 0.9, 5)).build().isAdaptive())
			.isTrue();
	}

	private static Adaptive adaptive(double low, long lowMax, double high, long highMax) {
		return new Adaptive("memory", new Point(low, lowMax), new Point(high, highMax));
	}

}
