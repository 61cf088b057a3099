package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.algorithm.Count;

/**
 * What a store says to a call.
 *
 * @param outcomes what each limit says, demands and limits in order
 * @param times when each demand was asked, in microseconds of the clock by which it is
 * counted: the parts of a store may have clocks of their own
 * @since 0.1.0
 */
public record StoreAnswer(List<LimitOutcome> outcomes, long... times) {

	/**
	 * What a store says that asked all demands at the same time.
	 * @param time when
	 * @param demands how many demands
	 * @param outcomes what each limit says
	 * @return the answer
	 */
	public static StoreAnswer at(long time, int demands, List<LimitOutcome> outcomes) {
		long[] times = new long[demands];
		Arrays.fill(times, time);
		return new StoreAnswer(outcomes, times);
	}

	/**
	 * Whether the call is admitted, now or after a wait that it accepts.
	 * @param demands what was asked
	 * @return {@code true} if its units were taken
	 */
	public boolean admits(List<Demand> demands) {
		int next = 0;
		for (int i = 0; i < demands.size(); i++) {
			Demand demand = demands.get(i);
			for (int last = next + demand.rule().limits().size(); next < last; next++) {
				if (!this.outcomes.get(next).admittedWithin(demand.maxWaitMicros())) {
					return false;
				}
			}
		}
		return true;
	}

	/**
	 * What the store would say some time later to a call that was denied.
	 * @param elapsed the time in microseconds
	 * @return the same with shorter times
	 */
	public StoreAnswer after(long elapsed) {
		if (this.outcomes.size() == 1) {
			return new StoreAnswer(List.of(this.outcomes.get(0).after(elapsed)), this.times);
		}
		return new StoreAnswer(this.outcomes.stream().map((outcome) -> outcome.after(elapsed)).toList(), this.times);
	}

	/**
	 * What to give back if a call that is admitted gives up. Each rule has counted the
	 * call as of the time at which the slowest of its limits let it pass.
	 * @param demands what was asked
	 * @return the units of each demand
	 */
	public List<Refund> taken(List<Demand> demands) {
		List<Refund> taken = new ArrayList<>(demands.size());
		int next = 0;
		for (int i = 0; i < demands.size(); i++) {
			long wait = 0;
			for (int last = next + demands.get(i).rule().limits().size(); next < last; next++) {
				wait = Math.max(wait, this.outcomes.get(next).retryAfter());
			}
			taken.add(new Refund(demands.get(i), this.times[i] + wait));
		}
		return taken;
	}

}
