package io.github.ratelimit.soak;

import java.time.Duration;

import io.github.ratelimit.Limit;

/**
 * Bounds of each algorithm, as docs/algorithms.md has them.
 */
final class Bounds {

	private Bounds() {
	}

	/**
	 * Return the most that is admitted in any period.
	 */
	static Check most(Limit limit) {
		long max = limit.max();
		long units = switch (limit.algorithm()) {
			case SLIDING_LOG, SLIDING_WINDOW, WARM_UP -> max;
			case WEIGHTED_WINDOW -> 2 * max - 1;
			case FIXED_WINDOW -> 2 * max;
			case TOKEN_BUCKET, LEAKY_BUCKET -> max + limit.capacity();
			case CONCURRENCY, DEFAULT -> throw new IllegalArgumentException(limit + " has no period");
		};
		return new AtMost(units, limit.period());
	}

	/**
	 * Return the least that was admitted before a call of one unit is denied.
	 */
	static Check least(Limit limit) {
		long max = limit.max();
		Duration period = limit.period();
		return switch (limit.algorithm()) {
			case SLIDING_LOG, FIXED_WINDOW -> new DeniedForAReason(max, period);
			case SLIDING_WINDOW -> new DeniedForAReason(max, period.plus(period.dividedBy(limit.segments())));
			case WEIGHTED_WINDOW -> new DeniedForAReason(max, period.multipliedBy(2));
			case TOKEN_BUCKET, LEAKY_BUCKET ->
				new DeniedForAReason(limit.capacity(), period.multipliedBy(limit.capacity()).dividedBy(max));
			case WARM_UP -> new DeniedForAReason(1, period.multipliedBy(limit.coldFactor()).dividedBy(max));
			case CONCURRENCY, DEFAULT -> throw new IllegalArgumentException(limit + " has no period");
		};
	}

}
