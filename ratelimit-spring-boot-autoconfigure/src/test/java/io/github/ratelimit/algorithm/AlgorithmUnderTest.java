package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * An algorithm with all that the common tests have to know of it.
 */
public enum AlgorithmUnderTest {

	SLIDING_LOG(Algorithm.SLIDING_LOG, Limit.MAX_LOG_ENTRIES) {

		@Override
		public Oracle oracle() {
			return new SlidingLogOracle();
		}

	},

	TOKEN_BUCKET(Algorithm.TOKEN_BUCKET, Limit.MAX_UNITS) {

		@Override
		public Oracle oracle() {
			return new TokenBucketOracle();
		}

		@Override
		public Limit randomLimit(Random random) {
			Limit limit = super.randomLimit(random);
			if (random.nextBoolean()) {
				return limit;
			}
			long periods = Duration.ofDays(3660).dividedBy(limit.period());
			long largest = (limit.max() > Limit.MAX_UNITS / periods) ? Limit.MAX_UNITS : limit.max() * periods;
			return limit.withBurst(RandomNumbers.magnitude(random, 1, largest));
		}

	},

	WEIGHTED_WINDOW(Algorithm.WEIGHTED_WINDOW, Limit.MAX_UNITS) {

		@Override
		public Oracle oracle() {
			return new WeightedWindowOracle();
		}

		@Override
		public long resetAfter(Limit limit, long now) {
			return 2 * limit.periodMicros() - now % limit.periodMicros();
		}

	};

	private final Algorithm algorithm;

	private final long largestMax;

	AlgorithmUnderTest(Algorithm algorithm, long largestMax) {
		this.algorithm = algorithm;
		this.largestMax = largestMax;
	}

	/**
	 * A new memory of all calls that computes what has to be answered.
	 */
	public abstract Oracle oracle();

	public Algorithm algorithm() {
		return this.algorithm;
	}

	public long largestMax() {
		return this.largestMax;
	}

	public Limit limit(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(this.algorithm);
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
	 * A limit from anywhere in the legal range, often from its upper end, where products
	 * are largest.
	 */
	public Limit randomLimit(Random random) {
		if (random.nextInt(4) == 0) {
			long millis = Limit.MAX_PERIOD.toMillis();
			return limit(RandomNumbers.between(random, this.largestMax / 2, this.largestMax),
					Duration.ofMillis(RandomNumbers.between(random, millis / 2, millis)));
		}
		return limit(RandomNumbers.magnitude(random, 1, this.largestMax), RandomNumbers.period(random));
	}

	@Override
	public String toString() {
		return this.algorithm.yamlName();
	}

}
