package io.github.ratelimit.algorithm;

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
import io.github.ratelimit.Seeds;

/**
 * An algorithm with all that the common tests have to know of it.
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
	 * A new memory of all calls that computes what has to be answered.
	 */
	public Oracle oracle() {
		return new ForgetfulOracle(this.oracle);
	}

	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * Those whose limits can count denied calls, too.
	 */
	public static Stream<AlgorithmUnderTest> thatCanCountDenied() {
		return Stream.of(SLIDING_LOG, FIXED_WINDOW, FIXED_WINDOW_FROM_FIRST_REQUEST);
	}

	/**
	 * All of them, each with all seeds.
	 */
	public static Stream<Arguments> withSeeds() {
		return withSeeds(Arrays.stream(values()));
	}

	/**
	 * Those that can count denied calls, each with all seeds.
	 */
	public static Stream<Arguments> thatCanCountDeniedWithSeeds() {
		return withSeeds(thatCanCountDenied());
	}

	private static Stream<Arguments> withSeeds(Stream<AlgorithmUnderTest> algorithms) {
		return algorithms.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	public long largestMax() {
		return Limit.MAX_UNITS;
	}

	public Limit limit(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(this.algorithm);
	}

	/**
	 * The longest period that a limit can have with this {@code max}.
	 */
	public Duration longestPeriod(long max) {
		return Limit.MAX_PERIOD;
	}

	/**
	 * Whether units can be taken one by one at once, as long as some are left.
	 */
	public boolean admitsUnitByUnit() {
		return true;
	}

	/**
	 * How long a call has to wait for a limit of which everything was taken at once.
	 * @param now when it was taken
	 */
	public long retryAfter(Limit limit, long now) {
		return resetAfter(limit, now);
	}

	/**
	 * How long it takes until a limit is unused again of which everything was taken at
	 * once.
	 * @param now when it was taken, which counts where windows begin by the clock
	 */
	public long resetAfter(Limit limit, long now) {
		return limit.periodMicros();
	}

	/**
	 * How many units may be admitted in a period, wherever it begins.
	 */
	public long mostInAnyPeriod(Limit limit) {
		return limit.capacity() + limit.max();
	}

	/**
	 * How long a call of cost 1 waits at most once the clock was set back.
	 * @param now when the clock was set to
	 */
	public long longestWait(Limit limit, long now) {
		return limit.periodMicros();
	}

	/**
	 * A limit with what a truth table says of it behind {@code max} and {@code period}.
	 */
	public Limit described(Limit limit, String cell) {
		return limit.withBurst(Long.parseLong(cell));
	}

	/**
	 * A limit from anywhere in the legal range, often from its upper end, where products
	 * are largest.
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
	 * A limit with this period, or with the longest that it can have.
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
