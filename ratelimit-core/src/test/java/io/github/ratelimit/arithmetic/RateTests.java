package io.github.ratelimit.arithmetic;

import java.math.BigInteger;
import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.tck.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RateTests {

	private static final long LONGEST = Limit.MAX_PERIOD.toMillis() * 1000;

	@ParameterizedTest
	@CsvSource({ "5, 60000000, 1, 12000000", "7, 1000000, 7, 1000000", "2000000, 1000000, 2, 1", "1, 1000, 1, 1000",
			"30, 60000000, 1, 2000000", "1000000000, 31622400000000, 5, 158112" })
	void isInLowestTerms(long max, long period, long units, long micros) {
		assertThat(Rate.of(max, period)).isEqualTo(new Rate(units, micros));
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 142858", "2, 285715", "6, 857143", "7, 1000000", "8, 1142858", "700, 100000000" })
	void timeToEarnIsRoundedUp(long units, long micros) {
		assertThat(Rate.of(7, 1_000_000).microsFor(units)).isEqualTo(micros);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "142857, 0", "142858, 1", "285714, 1", "285715, 2", "999999, 6", "1000000, 7", "1142857, 7" })
	void unitsEarnedAreRoundedDown(long micros, long units) {
		assertThat(Rate.of(7, 1_000_000).unitsIn(micros)).isEqualTo(units);
	}

	@Test
	void bothConversionsAreExactOverTheFullRange() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (int i = 0; i < 200_000; i++) {
				long max = upTo(random, Limit.MAX_UNITS);
				long period = upTo(random, LONGEST / 1000) * 1000;
				Rate rate = Rate.of(max, period);
				long units = upTo(random, largest(max, period));
				long micros = upTo(random, longest(max, period));
				String description = "seed " + seed + ": " + max + " per " + period;
				assertThat(BigInteger.valueOf(rate.microsFor(units))).as(description)
					.isEqualTo(ceil(multiply(units, period), BigInteger.valueOf(max)));
				assertThat(BigInteger.valueOf(rate.unitsIn(micros))).as(description)
					.isEqualTo(multiply(micros, max).divide(BigInteger.valueOf(period)));
			}
		});
	}

	@Test
	void timeThatHasPartlyPassedIsExactOverTheFullRange() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (int i = 0; i < 200_000; i++) {
				long max = upTo(random, Limit.MAX_UNITS);
				long period = upTo(random, LONGEST / 1000) * 1000;
				Rate rate = Rate.of(max, period);
				long units = upTo(random, largest(max, period)) - 1;
				long passed = upTo(random, rate.units()) - 1;
				assertThat(BigInteger.valueOf(rate.microsFor(units, passed)))
					.as("seed %d: %d units of %s, %d passed", seed, units, rate, passed)
					.isEqualTo(multiply(units, rate.micros()).add(BigInteger.valueOf(passed))
						.divide(BigInteger.valueOf(rate.units())));
			}
		});
	}

	@Test
	void theTwoConversionsAreInverse() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (int i = 0; i < 100_000; i++) {
				long max = upTo(random, Limit.MAX_UNITS);
				long period = upTo(random, LONGEST / 1000) * 1000;
				Rate rate = Rate.of(max, period);
				long units = upTo(random, largest(max, period));
				long micros = rate.microsFor(units);
				assertThat(rate.unitsIn(micros)).as("seed %d: %s", seed, rate).isGreaterThanOrEqualTo(units);
				assertThat(rate.unitsIn(micros - 1)).as("seed %d: %s", seed, rate).isLessThan(units);
			}
		});
	}

	/**
	 * Return the most units that can be missing from a bucket, which refills within ten
	 * times the longest period.
	 */
	private static long largest(long max, long period) {
		BigInteger units = multiply(max, 10 * LONGEST).divide(BigInteger.valueOf(period));
		return units.min(BigInteger.valueOf(2 * Limit.MAX_UNITS)).longValueExact();
	}

	/**
	 * Return the time in which this many units are refilled, at most ten times the
	 * longest period.
	 */
	private static long longest(long max, long period) {
		BigInteger micros = multiply(2 * Limit.MAX_UNITS, period).divide(BigInteger.valueOf(max));
		return micros.min(BigInteger.valueOf(10 * LONGEST)).longValueExact();
	}

	private static long upTo(Random random, long largest) {
		int bits = 1 + random.nextInt(64 - Long.numberOfLeadingZeros(largest));
		return 1 + (random.nextLong() >>> (64 - bits)) % largest;
	}

	private static BigInteger multiply(long a, long b) {
		return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
	}

	private static BigInteger ceil(BigInteger dividend, BigInteger divisor) {
		return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
	}

}
