package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.stream.Stream;

import io.github.ratelimit.Limit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two or three versions of a limit, the first of which may be adaptive.
 */
final class Versions {

	private final Random random;

	private final AlgorithmUnderTest algorithm;

	private final Limit[] limits;

	private final long highest;

	private final boolean adaptive;

	private final Deque<long[]> admitted = new ArrayDeque<>();

	Versions(Random random, AlgorithmUnderTest algorithm, boolean severalPeriods) {
		this.random = random;
		this.algorithm = algorithm;
		this.highest = 1 + random.nextInt(random.nextBoolean() ? 10 : 1_000);
		this.adaptive = random.nextBoolean();
		long millis = 1 + random.nextInt(100_000);
		this.limits = new Limit[2 + random.nextInt(2)];
		for (int i = 0; i < this.limits.length; i++) {
			long own = severalPeriods ? Math.max(1, millis * (1 + random.nextInt(12)) / (1 + random.nextInt(4)))
					: millis;
			this.limits[i] = vary(algorithm.limitUpTo((i == 0) ? this.highest : max(), Duration.ofMillis(own)));
		}
	}

	private long max() {
		return 1 + this.random.nextLong(this.highest);
	}

	private Limit vary(Limit limit) {
		return switch (this.algorithm) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> this.random.nextBoolean() ? limit : limit.withBurst(max());
			case SLIDING_WINDOW -> limit.withSegments(2 + this.random.nextInt(20));
			default -> limit;
		};
	}

	Limit any() {
		return this.limits[this.random.nextInt(this.limits.length)];
	}

	Stream<Limit> all() {
		return Arrays.stream(this.limits);
	}

	/**
	 * Change the first version as the load of its node does.
	 */
	void adapt() {
		if (this.adaptive && this.random.nextInt(4) == 0) {
			this.limits[0] = this.algorithm.limitUpTo(max(), this.limits[0].period());
		}
	}

	long shortest() {
		return Arrays.stream(this.limits).mapToLong(Limit::periodMicros).min().orElseThrow();
	}

	/**
	 * Check that the units admitted in the shortest period up to a call are not more than
	 * the largest numbers admit.
	 */
	void checkAdmitted(long now, long cost, String description) {
		this.admitted.add(new long[] { now, cost });
		while (this.admitted.element()[0] <= now - shortest()) {
			this.admitted.remove();
		}
		assertThat(this.admitted.stream().mapToLong((call) -> call[1]).sum()).as("%s: %s", description, this)
			.isLessThanOrEqualTo(most());
	}

	/**
	 * Return the most units that the largest numbers admit in the shortest period.
	 * Windows whose edges differ may end one after the other.
	 */
	private long most() {
		long most = this.algorithm
			.mostInAnyPeriod(this.algorithm.limitUpTo(this.highest, Duration.ofNanos(shortest() * 1_000)));
		long edges = Arrays.stream(this.limits).mapToLong(Limit::periodMicros).distinct().count() - 1;
		return switch (this.algorithm) {
			case FIXED_WINDOW, CALENDAR_WINDOW, WEIGHTED_WINDOW -> most + edges * this.highest;
			default -> most;
		};
	}

	@Override
	public String toString() {
		return Arrays.toString(this.limits);
	}

}
