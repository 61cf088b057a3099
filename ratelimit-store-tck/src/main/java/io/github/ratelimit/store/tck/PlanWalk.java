package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.Walk.Step;
import org.jspecify.annotations.Nullable;

/**
 * Random sequence of calls of one key whose plan changes at random. The plans differ in
 * all numbers of their limits.
 *
 * @since 0.1.0
 */
public final class PlanWalk {

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private final Random random;

	private final boolean disturbed;

	private final Limit[] plans;

	private Step step;

	/**
	 * Begin a walk.
	 * @param random the source of randomness
	 * @param algorithm the algorithm of all plans
	 * @param disturbed whether the clock is set back at times
	 */
	public PlanWalk(Random random, AlgorithmUnderTest algorithm, boolean disturbed) {
		this.random = random;
		this.disturbed = disturbed;
		this.plans = new Limit[2 + random.nextInt(3)];
		long largest = random.nextBoolean() ? 20 : algorithm.largestMax();
		this.plans[0] = plan(algorithm, largest, RandomNumbers.period(random));
		for (int i = 1; i < this.plans.length; i++) {
			long millis = this.plans[0].period().toMillis();
			long other = RandomNumbers.magnitude(random, Math.max(1, millis / 30),
					Math.min(Limit.MAX_PERIOD.toMillis(), millis * 30));
			Duration period = random.nextBoolean() ? Duration.ofMillis(other) : this.plans[0].period();
			this.plans[i] = algorithm.underPlan(plan(algorithm, largest, period), this.plans[0]);
		}
		this.step = new Step(this.plans[0], 1, BEGINNING + RandomNumbers.magnitude(random, 1, 1_000_000_000_000L));
	}

	private Limit plan(AlgorithmUnderTest algorithm, long largest, Duration period) {
		long max = RandomNumbers.magnitude(this.random, 1, largest);
		return algorithm.vary(algorithm.limitUpTo(max, period), this.random);
	}

	/**
	 * Count denied calls, too.
	 * @return this walk
	 */
	public PlanWalk countingDenied() {
		for (int i = 0; i < this.plans.length; i++) {
			this.plans[i] = this.plans[i].withCountDenied(true);
		}
		this.step = new Step(this.plans[0], 1, this.step.now());
		return this;
	}

	/**
	 * Let the calls of each plan select a time zone of their own.
	 */
	PlanWalk inZones() {
		for (int i = 0; i < this.plans.length; i++) {
			this.plans[i] = this.plans[i].withZone(Calendars.ZONES.get(this.random.nextInt(Calendars.ZONES.size())));
		}
		this.step = new Step(this.plans[0], 1, this.step.now());
		return this;
	}

	/**
	 * Return the limit under one of the plans.
	 * @return one of the limits
	 */
	public Limit anyPlan() {
		return this.plans[this.random.nextInt(this.plans.length)];
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
		boolean again = last.retryAfter() > 0 && this.random.nextInt(3) > 0;
		Limit limit = (again && this.random.nextInt(4) > 0) || this.random.nextBoolean() ? this.step.limit()
				: anyPlan();
		long cost = again ? this.step.cost() : cost(limit, last);
		long wait = again ? Math.max(0, last.retryAfter() - Walk.early(this.random)) : gap(limit, last);
		long time = this.step.now() + wait;
		if (this.disturbed && this.random.nextInt(25) == 0) {
			time -= RandomNumbers.magnitude(this.random, 1, 3 * limit.periodMicros());
		}
		this.step = new Step(limit, cost, Math.max(1, time));
		return this.step;
	}

	private long gap(Limit limit, LimitOutcome last) {
		long period = limit.periodMicros();
		return switch (this.random.nextInt(10)) {
			case 0, 1, 2, 3, 4 -> this.random.nextInt(2);
			case 5 -> RandomNumbers.magnitude(this.random, 1, Math.max(1, period / limit.max()));
			case 6 -> RandomNumbers.magnitude(this.random, 1, period);
			case 7 -> RandomNumbers.between(this.random, 0, last.resetAfter());
			case 8 -> Math.max(0, last.resetAfter() - this.random.nextInt(2));
			default -> RandomNumbers.magnitude(this.random, 1, 3 * period);
		};
	}

	private long cost(Limit limit, LimitOutcome last) {
		return switch (this.random.nextInt(16)) {
			case 0 -> 0;
			case 1, 2, 3 -> RandomNumbers.magnitude(this.random, 1, limit.capacity());
			case 4 -> last.remaining();
			case 5 -> last.remaining() + 1;
			case 6 -> limit.capacity() + this.random.nextInt(2);
			case 7 ->
				(this.random.nextInt(4) == 0) ? Long.MAX_VALUE : RandomNumbers.magnitude(this.random, 1, 1L << 60);
			default -> 1;
		};
	}

}
