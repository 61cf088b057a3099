package io.github.ratelimit.store.tck;

import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.LimitOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Random sequence of calls of one key that prefers edge cases: calls exactly at
 * {@code retryAfter} or one microsecond earlier, for exactly the remaining units or more.
 *
 * @since 0.1.0
 */
public final class Walk {

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private final Random random;

	private final AlgorithmUnderTest algorithm;

	private final boolean disturbed;

	private boolean countingDenied;

	private Step step;

	/**
	 * Begin a walk.
	 * @param random the source of randomness
	 * @param algorithm the algorithm of all limits
	 * @param disturbed whether the clock is set back and the limit changes at times
	 */
	public Walk(Random random, AlgorithmUnderTest algorithm, boolean disturbed) {
		this.random = random;
		this.algorithm = algorithm;
		this.disturbed = disturbed;
		long beginning = BEGINNING + RandomNumbers.magnitude(random, 1, 1_000_000_000_000L);
		this.step = new Step(algorithm.randomLimit(random), 1, beginning);
	}

	/**
	 * Count denied calls, too; if the limit changes at times, only under some of the
	 * limits.
	 * @return this walk
	 */
	public Walk countingDenied() {
		this.countingDenied = true;
		this.step = new Step(this.step.limit.withCountDenied(true), this.step.cost, this.step.now);
		return this;
	}

	/**
	 * Return the next call.
	 * @param last the outcome of the last call, or {@code null} for the first call
	 * @return the call
	 */
	public Step next(@Nullable LimitOutcome last) {
		if (last == null) {
			return this.step;
		}
		Limit limit = (this.disturbed && this.random.nextInt(40) == 0) ? changed(this.step.limit) : this.step.limit;
		boolean again = last.retryAfter() > 0 && this.random.nextInt(3) > 0;
		long cost = again ? this.step.cost : cost(limit, last);
		long wait = again ? Math.max(0, last.retryAfter() - early(this.random)) : gap(limit, last);
		long time = this.step.now + wait;
		if (this.disturbed && this.random.nextInt(25) == 0) {
			time -= RandomNumbers.magnitude(this.random, 1, 3 * limit.periodMicros());
		}
		this.step = new Step(limit, cost, Math.max(1, time));
		return this.step;
	}

	private Limit changed(Limit limit) {
		Limit other = this.algorithm.randomLimit(this.random);
		Limit changed = switch (this.random.nextInt(3)) {
			case 0 -> this.algorithm.limitUpTo(limit.max(), other.period());
			case 1 -> this.algorithm.limitUpTo(other.max(), limit.period());
			default -> other;
		};
		return (this.countingDenied && this.random.nextInt(4) > 0) ? changed.withCountDenied(true) : changed;
	}

	/**
	 * Return by how much a call that is repeated comes too early, mostly not at all.
	 */
	static long early(Random random) {
		return switch (random.nextInt(6)) {
			case 0 -> 1;
			case 1 -> 1000;
			default -> 0;
		};
	}

	private long gap(Limit limit, LimitOutcome last) {
		long period = limit.periodMicros();
		return switch (this.random.nextInt(12)) {
			case 0, 1, 2, 3 -> 0;
			case 4, 5 -> RandomNumbers.magnitude(this.random, 1, Math.max(1, period / limit.max()));
			case 6, 7 -> RandomNumbers.magnitude(this.random, 1, period);
			case 8 -> RandomNumbers.between(this.random, 0, last.resetAfter());
			case 9 -> Math.max(0, last.resetAfter() - this.random.nextInt(2));
			case 10 -> RandomNumbers.magnitude(this.random, 1, 3 * period);
			default -> this.random.nextInt(3);
		};
	}

	private long cost(Limit limit, LimitOutcome last) {
		return switch (this.random.nextInt(20)) {
			case 0, 1 -> 0;
			case 2, 3, 4 -> RandomNumbers.magnitude(this.random, 1, limit.capacity());
			case 5 -> last.remaining();
			case 6 -> last.remaining() + 1;
			case 7 -> Math.max(0, last.remaining() - 1);
			case 8 -> limit.capacity() + this.random.nextInt(2);
			case 9 ->
				(this.random.nextInt(4) == 0) ? Long.MAX_VALUE : RandomNumbers.magnitude(this.random, 1, 1L << 60);
			default -> 1;
		};
	}

	/**
	 * Call of a walk.
	 *
	 * @param limit the limit
	 * @param cost the units that it takes
	 * @param now the time in microseconds
	 */
	public record Step(Limit limit, long cost, long now) {

	}

}
