package io.github.ratelimit;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WarmUpLimitTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@ParameterizedTest
	@CsvSource({ "10000, 2, 16666666", "10000, 3, 10000000", "10000, 5, 5833333", "10000, 10, 2929292", "1, 3, 1000",
			"2592000000, 2, 4320000000000" })
	void tokensAreRefilledInTheirTwoParts(long millis, int coldFactor, long coolDown) {
		double warmUp = millis * 1000;
		assertThat(limit(1000, Duration.ofMillis(millis), coldFactor).coolDownMicros()).isEqualTo(coolDown)
			.isEqualTo((long) (warmUp / (coldFactor - 1) + 2 * warmUp / (coldFactor + 1) + 1e-6));
	}

	@Test
	void takesAtLeastOneToken() {
		assertThat(limit(1, Duration.ofMillis(3414), 10).coldFactor()).isEqualTo(10);
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> limit(1, Duration.ofMillis(3413), 10))
			.withMessage("warm-up-period = 3413ms is invalid: at 1 per 1s not a single unit is admitted in it. "
					+ "Write a longer one, or another algorithm.");
	}

	@Test
	void tokensAreFewEnoughToBeDistinguished() {
		assertThat(limit(Limit.MAX_UNITS, Duration.ofSeconds(1000), 3).max()).isEqualTo(Limit.MAX_UNITS);
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> limit(Limit.MAX_UNITS, Duration.ofMillis(1000_001), 3))
			.withMessage("warm-up-period = 1000001ms is invalid: it takes more than 1000000000000 tokens, which cannot "
					+ "be distinguished. Write a shorter one.");
	}

	@Test
	void periodThatIsLongerThanAnyWarmUpNeedsOneOfItsOwn() {
		Limit month = Limit.of(100, Duration.ofDays(31));
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> month.withAlgorithm(Algorithm.WARM_UP))
			.withMessage("warm-up-period = 31d is invalid: it has to be between 1 ms and 30 days. Write a duration, "
					+ "warm-up-period: 60s for example; a number without a unit means seconds.");
		assertThat(month.withWarmUpPeriod(Duration.ofDays(1)).withAlgorithm(Algorithm.WARM_UP).max()).isEqualTo(100);
	}

	private static Limit limit(long max, Duration warmUp, int coldFactor) {
		return Limit.of(max, SECOND)
			.withWarmUpPeriod(warmUp)
			.withColdFactor(coldFactor)
			.withAlgorithm(Algorithm.WARM_UP);
	}

}
