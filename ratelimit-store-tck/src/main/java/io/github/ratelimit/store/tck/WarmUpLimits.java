package io.github.ratelimit.store.tck;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;

/**
 * Limits of the algorithm warm-up, with a valid warm-up period.
 */
final class WarmUpLimits {

	private static final BigInteger MOST_UNITS = BigInteger.valueOf(1_000_000_000_000L);

	private static final int USUAL_FACTOR = 3;

	private static final long USUAL_MILLIS = 10_000;

	private WarmUpLimits() {
	}

	/**
	 * Return a limit that warms up in 10 s, or in the closest valid time.
	 */
	static Limit limit(long max, Duration period) {
		return limit(max, period, USUAL_FACTOR, USUAL_MILLIS);
	}

	static Duration longestPeriod(long max) {
		long longest = (Limit.MAX_WARM_UP_PERIOD.toMillis() - 1) * Math.min(max, 100);
		return Duration.ofMillis(Math.min(Limit.MAX_PERIOD.toMillis(), longest));
	}

	/**
	 * Return the limit with a random cold factor and warm-up period.
	 */
	static Limit vary(Limit limit, Random random) {
		int factor = 2 + random.nextInt(Limit.MAX_COLD_FACTOR - 1);
		long millis = RandomNumbers.magnitude(random, 1, Limit.MAX_WARM_UP_PERIOD.toMillis());
		return (leastMillis(limit.rate(), factor) > Limit.MAX_WARM_UP_PERIOD.toMillis()) ? limit
				: limit(limit.max(), limit.period(), factor, millis);
	}

	private static Limit limit(long max, Duration period, int factor, long millis) {
		Rate rate = Limit.of(max, period).rate();
		long possible = Math.max(leastMillis(rate, factor), Math.min(mostMillis(rate, factor), millis));
		return Limit.of(max, period)
			.withWarmUpPeriod(Duration.ofMillis(possible))
			.withColdFactor(factor)
			.withAlgorithm(Algorithm.WARM_UP);
	}

	private static long leastMillis(Rate rate, int factor) {
		return warmUpMicros(BigInteger.valueOf(rate.microsFor(1)), factor).longValueExact() / 1000 + 1;
	}

	private static long mostMillis(Rate rate, int factor) {
		BigInteger micros = MOST_UNITS.multiply(BigInteger.valueOf(rate.micros()))
			.divide(BigInteger.valueOf(rate.units()));
		return warmUpMicros(micros, factor).divide(BigInteger.valueOf(1000))
			.min(BigInteger.valueOf(Limit.MAX_WARM_UP_PERIOD.toMillis()))
			.longValueExact();
	}

	/**
	 * Return the warm-up period whose tokens are all refilled in this time, rounded down.
	 */
	private static BigInteger warmUpMicros(BigInteger coolDown, int factor) {
		return coolDown.multiply(BigInteger.valueOf(factor * factor - 1)).divide(BigInteger.valueOf(3 * factor - 1));
	}

}
