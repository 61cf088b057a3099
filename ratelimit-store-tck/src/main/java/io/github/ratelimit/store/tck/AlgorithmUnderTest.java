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
 *
 * @since 0.1.0
 */
public enum AlgorithmUnderTest {

	/**
	 * {@link Algorithm#SLIDING_LOG}.
	 */
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

	/**
	 * {@link Algorithm#TOKEN_BUCKET}.
	 */
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

	/**
	 * {@link Algorithm#LEAKY_BUCKET}, whose queue is as long as {@code max}.
	 */
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

	/**
	 * {@link Algorithm#WEIGHTED_WINDOW}.
	 */
	WEIGHTED_WINDOW(Algorithm.WEIGHTED_WINDOW, WeightedWindowOracle::new) {

		@Override
		public long resetAfter(Limit limit, long now) {
			return 2 * limit.periodMicros() - now % limit.periodMicros();
		}

	},

	/**
	 * {@link Algorithm#FIXED_WINDOW} by the clock.
	 */
	FIXED_WINDOW(Algorithm.FIXED_WINDOW, FixedWindowOracle::new) {

		@Override
		public long resetAfter(Limit limit, long now) {
			return limit.periodMicros() - now % limit.periodMicros();
		}

	},

	/**
	 * {@link Algorithm#FIXED_WINDOW} from the first request on.
	 */
	FIXED_WINDOW_FROM_FIRST_REQUEST(Algorithm.FIXED_WINDOW, FixedWindowOracle::new) {

		@Override
		public Limit limit(long max, Duration period) {
			return super.limit(max, period).withAlign(Align.FIRST_REQUEST);
		}

	},

	/**
	 * {@link Algorithm#FIXED_WINDOW} by a calendar.
	 */
	CALENDAR_WINDOW(Algorithm.FIXED_WINDOW, CalendarWindowOracle::new) {

		@Override
		public Limit limit(long max, Duration period) {
			return Calendars.limit(max, period);
		}

		@Override
		Limit described(Limit limit, String cell) {
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

	/**
	 * {@link Algorithm#SLIDING_WINDOW}.
	 */
	SLIDING_WINDOW(Algorithm.SLIDING_WINDOW, SlidingWindowOracle::new) {

		@Override
		public long resetAfter(Limit limit, long now) {
			long length = (limit.periodMicros() + limit.segments() - 1) / limit.segments();
			return (limit.segments() + 1) * length - now % length;
		}

		@Override
		long longestWait(Limit limit, long now) {
			return resetAfter(limit, now);
		}

		@Override
		public long mostInAnyPeriod(Limit limit) {
			return limit.max();
		}

		@Override
		Limit described(Limit limit, String cell) {
			return limit.withSegments(Integer.parseInt(cell));
		}

		@Override
		Limit vary(Limit limit, Random random) {
			return random.nextBoolean() ? limit
					: limit.withSegments((int) RandomNumbers.magnitude(random, 2, Limit.MAX_SEGMENTS));
		}

	},

	/**
	 * {@link Algorithm#WARM_UP}.
	 */
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
		Duration longestPeriod(long max) {
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
	 * @return an oracle for the calls of one key
	 */
	public Oracle oracle() {
		return new ForgetfulOracle(this.oracle);
	}

	/**
	 * Return the algorithm.
	 * @return the algorithm of its limits
	 */
	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * Return the algorithms that can also count denied calls.
	 * @return some of all algorithms
	 */
	public static Stream<AlgorithmUnderTest> thatCanCountDenied() {
		return Stream.of(SLIDING_LOG, FIXED_WINDOW, FIXED_WINDOW_FROM_FIRST_REQUEST, CALENDAR_WINDOW);
	}

	/**
	 * Return all algorithms, each with all seeds.
	 * @return an algorithm and a seed each
	 */
	public static Stream<Arguments> withSeeds() {
		return withSeeds(Arrays.stream(values()));
	}

	/**
	 * Return the algorithms that can count denied calls, each with all seeds.
	 * @return an algorithm and a seed each
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

	/**
	 * Return the largest {@code max} that a limit can have.
	 * @return the number of units
	 */
	public long largestMax() {
		return Limit.MAX_UNITS;
	}

	/**
	 * Return a limit.
	 * @param max the units per period
	 * @param period the period
	 * @return the limit, whose other values are those that suit most tests
	 */
	public Limit limit(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(this.algorithm);
	}

	boolean isBucket() {
		return this == TOKEN_BUCKET || this == LEAKY_BUCKET;
	}

	/**
	 * Return the longest period that a limit can have with this {@code max}.
	 */
	Duration longestPeriod(long max) {
		return Limit.MAX_PERIOD;
	}

	/**
	 * Return whether units can be taken one by one at the same time, as long as some
	 * remain.
	 * @return {@code false} if a call may have to wait for its turn
	 */
	public boolean admitsUnitByUnit() {
		return true;
	}

	/**
	 * Return the time a call waits for a limit whose units were all taken at once.
	 * @param limit the limit
	 * @param now the time at which they were taken
	 * @return the microseconds until all units can be taken again
	 */
	public long retryAfter(Limit limit, long now) {
		return resetAfter(limit, now);
	}

	/**
	 * Return the time until a limit whose units were all taken at once equals an unused
	 * one.
	 * @param limit the limit
	 * @param now the time at which they were taken, relevant for windows that begin by
	 * the clock
	 * @return the microseconds
	 */
	public long resetAfter(Limit limit, long now) {
		return limit.periodMicros();
	}

	/**
	 * Return the maximum number of units admitted in any period.
	 * @param limit the limit
	 * @return the number of units
	 */
	public long mostInAnyPeriod(Limit limit) {
		return limit.capacity() + limit.max();
	}

	/**
	 * Return the longest wait of a call of cost 1 after the clock is set back.
	 * @param now the time to which the clock is set back
	 */
	long longestWait(Limit limit, long now) {
		return limit.periodMicros();
	}

	/**
	 * Return the limit with the attributes that a truth table lists after {@code max} and
	 * {@code period}.
	 */
	Limit described(Limit limit, String cell) {
		return limit.withBurst(Long.parseLong(cell));
	}

	/**
	 * Return a random valid limit, often near the upper bound, where products are
	 * largest.
	 * @param random the source of randomness
	 * @return the limit
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
	 * @param max the units per period
	 * @param period the period
	 * @return the limit
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
