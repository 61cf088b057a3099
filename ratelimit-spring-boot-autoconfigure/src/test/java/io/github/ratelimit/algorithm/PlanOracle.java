package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Walk.Step;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle of a count that calls of different plans share, while the clock goes on. It
 * remembers the admitted calls alone and replays them for each question, as calls whose
 * limit changes. A call waits until the first time at which the units that count then, if
 * nothing happens, leave room in the capacity of its plan.
 */
public final class PlanOracle {

	private final AlgorithmUnderTest algorithm;

	private final List<Step> admitted = new ArrayList<>();

	public PlanOracle(AlgorithmUnderTest algorithm) {
		this.algorithm = algorithm;
	}

	/**
	 * Decide a call.
	 */
	public LimitOutcome acquire(Step step) {
		long now = step.now();
		if (!this.admitted.isEmpty() && peek(now).resetAfter() == 0) {
			this.admitted.clear();
		}
		long capacity = step.limit().capacity();
		long resetAfter = this.admitted.isEmpty() ? 0 : peek(now).resetAfter();
		long remaining = Math.max(0, capacity - used(now));
		if (step.cost() == 0) {
			return new LimitOutcome(remaining, 0, resetAfter);
		}
		if (step.cost() > capacity) {
			return new LimitOutcome(remaining, LimitState.NEVER, resetAfter);
		}
		if (used(now) + step.cost() <= capacity) {
			LimitOutcome outcome = replayed().acquire(step.limit(), step.cost(), now, true).orElseThrow();
			this.admitted.add(step);
			return outcome;
		}
		long wait = first(resetAfter, (elapsed) -> used(now + elapsed) + step.cost() <= capacity);
		return new LimitOutcome(remaining, wait, resetAfter);
	}

	/**
	 * Return the units that count at a time, by the limit of the last admitted call.
	 */
	private long used(long time) {
		if (this.admitted.isEmpty()) {
			return 0;
		}
		long remaining = peek(time).remaining();
		return (this.algorithm == AlgorithmUnderTest.WARM_UP && remaining == 0) ? Limit.MAX_UNITS
				: last().capacity() - remaining;
	}

	private LimitOutcome peek(long time) {
		return replayed().acquire(last(), 0, time, false).orElseThrow();
	}

	private Limit last() {
		return this.admitted.get(this.admitted.size() - 1).limit();
	}

	private Oracle replayed() {
		Oracle oracle = this.algorithm.oracle();
		this.admitted.forEach((call) -> oracle.acquire(call.limit(), call.cost(), call.now(), true));
		return oracle;
	}

	/**
	 * Return the first time at which a condition becomes and stays true.
	 */
	private static long first(long latest, LongPredicate condition) {
		long low = 0;
		long high = latest;
		while (low < high) {
			long middle = (low + high) >>> 1;
			if (condition.test(middle)) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

}
