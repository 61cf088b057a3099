package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;

/**
 * Algorithm with the properties that common tests need.
 */
public enum AlgorithmUnderTest {

	SLIDING_LOG(Algorithm.SLIDING_LOG, SlidingLogOracle::new) {

		@Override
		public long largestMax() {
			return Limit.MAX_LOG_ENTRIES;
		}

		@Override
		public long mostInAnyPeriod(Limit limit) {
			return limit.max();
		}

	},

	TOKEN_BUCKET(Algorithm.TOKEN_BUCKET, TokenBucketOracle::new) {

		@Override
		Limit vary(Limit limit, Random random) {
			if (random.nextBoolean()) {
				return limit;
			}
			long periods = Duration.ofDays(3660).dividedBy(limit.period());
			long largest = (limit.max() > Limit.MAX_UNITS / periods) ? Limit.MAX_UNITS : limit.max() * periods;
			return limit.withBurst(RandomNumbers.magnitude(random, 1, largest));
		}

	},

	LEAKY_BUCKET(Algorithm.LEAKY_BUCKET, TokenBucketOracle::new) {

		@Override
		public Limit limit(long max, Duration period) {
			return super.limit(max, period).withBurst(max);
		}

		@Override
		Limit vary(Limit limit, Random random) {
			return random.nextBoolean() ? limit : limit.withBurst(1 + random.nextInt(3));
		}

	},

	WEIGHTED_WINDOW(Algorithm.WEIGHTED_WINDOW, WeightedWindowOracle::new) {

		@Override
		public long resetAfter(Limit limit, long now) {
			return 2 * limit.periodMicros() - now % limit.periodMicros();
		}

	},

	FIXED_WINDOW(Algorithm.FIXED_WINDOW, FixedWindowOracle::new) {

		@Override
		public long resetAfter(Limit limit, long now) {
			return limit.periodMicros() - now % limit.periodMicros();
		}

	},

	FIXED_WINDOW_FROM_FIRST_REQUEST(Algorithm.FIXED_WINDOW, FixedWindowOracle::new) {

		@Override
		public Limit limit(long max, Duration period) {
			return super.limit(max, period).withAlign(Align.FIRST_REQUEST);
		}

	},

	CALENDAR_WINDOW(Algorithm.FIXED_WINDOW, CalendarWindowOracle::new) {

		@Override
		public Limit limit(long max, Duration period) {
			return Calendars.limit(max, period);
		}

		@Override
		public Limit described(Limit limit, String cell) {
			return Calendars.described(limit, cell);
		}

		@Override
		Limit vary(Limit limit, Random random) {
			return Calendars.vary(limit, random);
		}

		@Override
		Limit underPlan(Limit limit, Limit own) {
			return own.withMax(limit.max());
		}

		@Override
		public long resetAfter(Limit limit, long now) {
			return limit.calendar().windowAt(now).end() - now;
		}

		/**
		 * A window may be shorter than a period, which then touches three.
		 */
		@Override
		public long mostInAnyPeriod(Limit limit) {
			return 3 * limit.max();
		}

	},

	SLIDING_WINDOW(Algorithm.SLIDING_WINDOW, SlidingWindowOracle::new) {

		@Override
		public long resetAfter(Limit limit, long now) {
			long length = (limit.periodMicros() + limit.segments() - 1) / limit.segments();
			return (limit.segments() + 1) * length - now % length;
		}

		@Override
		public long longestWait(Limit limit, long now) {
			return resetAfter(limit, now);
		}

		@Override
		public long mostInAnyPeriod(Limit limit) {
			return limit.max();
		}

		@Override
		public Limit described(Limit limit, String cell) {
			return limit.withSegments(Integer.parseInt(cell));
		}

		@Override
		Limit vary(Limit limit, Random random) {
			return random.nextBoolean() ? limit
					: limit.withSegments((int) RandomNumbers.magnitude(random, 2, Limit.MAX_SEGMENTS));
		}

	},

	WARM_UP(Algorithm.WARM_UP, WarmUpOracle::new) {

		@Override
		public boolean admitsUnitByUnit() {
			return false;
		}

		@Override
		public Limit limit(long max, Duration period) {
			return WarmUpLimits.limit(max, period);
		}

		@Override
		public Duration longestPeriod(long max) {
			return WarmUpLimits.longestPeriod(max);
		}

		@Override
		Limit vary(Limit limit, Random random) {
			return WarmUpLimits.vary(limit, random);
		}

		@Override
		public long retryAfter(Limit limit, long now) {
			return limit.coldFactor() * limit.periodMicros();
		}

		@Override
		public long resetAfter(Limit limit, long now) {
			return oracle().acquire(limit, limit.max(), now, true).orElseThrow().resetAfter();
		}

	};

	private final Algorithm algorithm;

	private final Supplier<Oracle> oracle;

	AlgorithmUnderTest(Algorithm algorithm, Supplier<Oracle> oracle) {
		this.algorithm = algorithm;
		this.oracle = oracle;
	}

	/**
	 * Create an oracle that computes the expected answers.
	 */
	public Oracle oracle() {
		return new ForgetfulOracle(this.oracle);
	}

	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * Return the algorithms that can also count denied calls.
	 */
	public static Stream<AlgorithmUnderTest> thatCanCountDenied() {
		return Stream.of(SLIDING_LOG, FIXED_WINDOW, FIXED_WINDOW_FROM_FIRST_REQUEST, CALENDAR_WINDOW);
	}

	/**
	 * Return all algorithms, each with all seeds.
	 */
	public static Stream<Arguments> withSeeds() {
		return withSeeds(Arrays.stream(values()));
	}

	/**
	 * Return the algorithms that can count denied calls, each with all seeds.
	 */
	public static Stream<Arguments> thatCanCountDeniedWithSeeds() {
		return withSeeds(thatCanCountDenied());
	}

	private static Stream<Arguments> withSeeds(Stream<AlgorithmUnderTest> algorithms) {
		return algorithms.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	/**
	 * Return a limit as a plan of a rule can have it.
	 */
	Limit underPlan(Limit limit, Limit own) {
		return limit;
	}

	public long largestMax() {
		return Limit.MAX_UNITS;
	}

	public Limit limit(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(this.algorithm);
	}

	/**
	 * Return the longest period that a limit can have with this {@code max}.
	 */
	public Duration longestPeriod(long max) {
		return Limit.MAX_PERIOD;
	}

	/**
	 * Return whether units can be taken one by one at the same time, as long as some
	 * remain.
	 */
	public boolean admitsUnitByUnit() {
		return true;
	}

	/**
	 * Return the time a call waits for a limit whose units were all taken at once.
	 * @param now the time at which they were taken
	 */
	public long retryAfter(Limit limit, long now) {
		return resetAfter(limit, now);
	}

	/**
	 * Return the time until a limit whose units were all taken at once equals an unused
	 * one.
	 * @param now the time at which they were taken, relevant for windows that begin by
	 * the clock
	 */
	public long resetAfter(Limit limit, long now) {
		return limit.periodMicros();
	}

	/**
	 * Return the maximum number of units admitted in any period.
	 */
	public long mostInAnyPeriod(Limit limit) {
		return limit.capacity() + limit.max();
	}

	/**
	 * Return the longest wait of a call of cost 1 after the clock is set back.
	 * @param now the time to which the clock is set back
	 */
	public long longestWait(Limit limit, long now) {
		return limit.periodMicros();
	}

	/**
	 * Return the limit with the attributes that a truth table lists after {@code max} and
	 * {@code period}.
	 */
	public Limit described(Limit limit, String cell) {
		return limit.withBurst(Long.parseLong(cell));
	}

	/**
	 * Return a random valid limit, often near the upper bound, where products are
	 * largest.
	 */
	public Limit randomLimit(Random random) {
		if (random.nextInt(4) > 0) {
			return vary(limitUpTo(RandomNumbers.magnitude(random, 1, largestMax()), RandomNumbers.period(random)),
					random);
		}
		long max = RandomNumbers.between(random, largestMax() / 2, largestMax());
		long millis = longestPeriod(max).toMillis();
		return vary(limit(max, Duration.ofMillis(RandomNumbers.between(random, millis / 2, millis))), random);
	}

	/**
	 * A limit like this one, with other values of what else the algorithm knows.
	 */
	Limit vary(Limit limit, Random random) {
		return limit;
	}

	/**
	 * Return a limit with this period, or with the longest possible one.
	 */
	public Limit limitUpTo(long max, Duration period) {
		Duration longest = longestPeriod(max);
		return limit(max, (period.compareTo(longest) > 0) ? longest : period);
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
