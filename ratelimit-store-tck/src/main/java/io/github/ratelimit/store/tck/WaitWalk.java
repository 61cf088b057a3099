package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Random sequence of calls of one key that may wait, some of which give up.
 *
 * @since 0.1.0
 */
public final class WaitWalk {

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private final Random random;

	private final AlgorithmUnderTest algorithm;

	private final boolean disturbed;

	private final List<Taken> taken = new ArrayList<>();

	private Limit limit;

	private long now;

	/**
	 * Begin a walk.
	 * @param random the source of randomness
	 * @param algorithm the algorithm of all limits
	 * @param disturbed whether the clock is set back, the limit changes, and calls give
	 * up after they have proceeded
	 */
	public WaitWalk(Random random, AlgorithmUnderTest algorithm, boolean disturbed) {
		this.random = random;
		this.algorithm = algorithm;
		this.disturbed = disturbed;
		this.limit = algorithm.randomLimit(random);
		if (this.limit.max() > 20 && random.nextBoolean()) {
			this.limit = algorithm.limit(1 + random.nextInt(20), this.limit.period());
		}
		this.now = BEGINNING + RandomNumbers.magnitude(random, 1, 1_000_000_000_000L);
	}

	/**
	 * Return the limit of the next call.
	 * @return the limit
	 */
	public Limit limit() {
		return this.limit;
	}

	/**
	 * Return the time of the next call or refund.
	 * @param last the outcome of the last call
	 * @return the time in microseconds
	 */
	public long nextTime(LimitOutcome last) {
		long period = this.limit.periodMicros();
		this.now += switch (this.random.nextInt(12)) {
			case 0 -> RandomNumbers.magnitude(this.random, 1, period);
			case 1 -> RandomNumbers.magnitude(this.random, 1, Math.max(1, period / 10));
			case 2 -> Math.max(0, last.retryAfter() - this.random.nextInt(2));
			case 3 -> RandomNumbers.between(this.random, 0, last.resetAfter());
			default -> this.random.nextInt(2);
		};
		if (this.disturbed && this.random.nextInt(40) == 0) {
			this.now -= RandomNumbers.magnitude(this.random, 1, 3 * period);
		}
		if (this.disturbed && this.random.nextInt(40) == 0) {
			this.limit = this.random.nextBoolean() ? this.algorithm.randomLimit(this.random)
					: this.algorithm.limit(RandomNumbers.magnitude(this.random, 1, 100), this.limit.period());
		}
		return this.now;
	}

	/**
	 * Return the next call that gives up.
	 * @return its units and their time, or {@code null} if none gives up now
	 */
	public @Nullable Taken giveUp() {
		if (!this.disturbed) {
			this.taken.removeIf((call) -> call.slot <= this.now);
		}
		if (this.taken.isEmpty() || this.random.nextInt(4) > 0) {
			return null;
		}
		Taken call = this.taken.remove(this.random.nextInt(this.taken.size()));
		return (this.disturbed && this.random.nextInt(4) == 0)
				? new Taken(1L << 52, 1 + this.random.nextInt(2 * (int) Math.min(100, call.cost))) : call;
	}

	/**
	 * Return the cost of the next call.
	 * @return the units, 0 or more
	 */
	public long cost() {
		return switch (this.random.nextInt(6)) {
			case 0 -> 0;
			case 1, 2 -> RandomNumbers.magnitude(this.random, 1, this.limit.capacity());
			case 3 -> this.limit.capacity();
			default -> 1;
		};
	}

	/**
	 * Return how long the next call may wait.
	 * @return the longest wait
	 */
	public Duration maxWait() {
		long longest = Math.min(this.limit.periodMicros() * 20, Limit.MAX_PERIOD.toMillis() * 1000);
		return (this.random.nextInt(4) == 0) ? Duration.ZERO
				: Duration.of(RandomNumbers.between(this.random, 0, longest), ChronoUnit.MICROS);
	}

	/**
	 * Record an admitted call.
	 * @param slot the time at which it was counted
	 * @param cost the units that it has taken
	 */
	public void took(long slot, long cost) {
		this.taken.add(new Taken(slot, cost));
	}

	/**
	 * Units that a call has taken.
	 *
	 * @param slot the time at which they were counted
	 * @param cost how many
	 */
	public record Taken(long slot, long cost) {

	}

}
