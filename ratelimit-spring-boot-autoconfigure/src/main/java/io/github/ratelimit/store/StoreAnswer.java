package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.algorithm.Count;

/**
 * What a store says to a call: what each limit says, and when. The parts of a store may
 * have clocks of their own.
 *
 * @since 0.1.0
 */
public final class StoreAnswer {

	private final List<LimitOutcome> outcomes;

	private final long time;

	private final List<StoreAnswer> parts;

	private StoreAnswer(List<LimitOutcome> outcomes, long time, List<StoreAnswer> parts) {
		this.outcomes = outcomes;
		this.time = time;
		this.parts = parts;
	}

	/**
	 * What a store says that asked all demands at the same time.
	 * @param time when, in microseconds of the clock by which they are counted
	 * @param outcomes what each limit says, demands and limits in order
	 * @return the answer
	 */
	public static StoreAnswer at(long time, List<LimitOutcome> outcomes) {
		return new StoreAnswer(List.copyOf(outcomes), time, List.of());
	}

	/**
	 * What a store says that asked the demands one by one.
	 * @param answers the answer to each demand, at least one
	 * @return all of them as one
	 */
	public static StoreAnswer joined(List<StoreAnswer> answers) {
		return new StoreAnswer(answers.stream().flatMap((answer) -> answer.outcomes.stream()).toList(),
				answers.get(0).time, answers);
	}

	/**
	 * What each limit says.
	 * @return the outcomes, demands and limits in order
	 */
	public List<LimitOutcome> outcomes() {
		return this.outcomes;
	}

	/**
	 * When a demand was asked.
	 * @param demand which one, from 0 on
	 * @return microseconds of the clock by which it is counted
	 */
	public long time(int demand) {
		return this.parts.isEmpty() ? this.time : this.parts.get(demand).time;
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
			taken.add(new Refund(demands.get(i), time(i) + wait));
		}
		return taken;
	}

}
