package io.github.ratelimit.store;

import java.util.List;
import java.util.function.IntFunction;

import io.github.ratelimit.algorithm.Count;

/**
 * Answer of a store to one demand: the outcome of each limit of the rule, and the time of
 * the decision. Failure domains of a store may have clocks of their own.
 *
 * @param demand the demand
 * @param time when it was decided, in microseconds of the clock by which it is counted
 * @param outcomes the outcome of each limit, in order
 * @since 0.1.0
 */
public record RuleAnswer(Demand demand, long time, List<LimitOutcome> outcomes) implements StoreAnswer {

	/**
	 * Create the answer of all counts of a rule.
	 * @param demand the demand
	 * @param time when it was decided
	 * @param ofCount returns the outcome of the count with an index
	 * @return the answer, with the outcomes of the limits
	 */
	public static RuleAnswer of(Demand demand, long time, IntFunction<LimitOutcome> ofCount) {
		return new RuleAnswer(demand, time, demand.counts().outcomes(ofCount));
	}

	@Override
	public int size() {
		return 1;
	}

	@Override
	public RuleAnswer get(int index) {
		return this;
	}

	@Override
	public List<RuleAnswer> asList() {
		return List.of(this);
	}

	/**
	 * Return whether all limits of the rule admit the call, now or after a wait that it
	 * accepts.
	 */
	@Override
	public boolean isAdmitted() {
		return this.demand.accepts(longestWait());
	}

	@Override
	public long delay() {
		long wait = longestWait();
		return this.demand.accepts(wait) ? wait : 0;
	}

	/**
	 * Return when the same call would be admitted. A call that may wait is admitted as
	 * soon as the rest of its wait is short enough.
	 * @return 0 if it is admitted, {@link Count#NEVER} if it can never be, else the
	 * microseconds until it would be
	 */
	public long retryAfter() {
		return retryAfter(longestWait());
	}

	/**
	 * Return when one limit would admit the same call.
	 * @param limit the index of the limit
	 * @return 0 if it admits the call, {@link Count#NEVER} if it never can, else the
	 * microseconds until it would
	 */
	public long retryAfter(int limit) {
		return retryAfter(this.outcomes.get(limit).retryAfter());
	}

	private long retryAfter(long wait) {
		return (wait == Count.NEVER) ? Count.NEVER : Math.max(0, wait - this.demand.maxWaitMicros());
	}

	private long longestWait() {
		long wait = 0;
		for (int i = 0; i < this.outcomes.size(); i++) {
			wait = LimitOutcome.longer(wait, this.outcomes.get(i).retryAfter());
		}
		return wait;
	}

	/**
	 * Return the refund of an admitted call. The rule has counted it as of the time at
	 * which the slowest of its limits admits it.
	 * @return the units of the demand
	 */
	public Refund refund() {
		return new Refund(this.demand, this.time + delay());
	}

	/**
	 * Return the same answer to another demand.
	 * @param other the demand
	 * @return a changed copy
	 */
	public RuleAnswer to(Demand other) {
		return new RuleAnswer(other, this.time, this.outcomes);
	}

	/**
	 * Return the answer to the same call some time later, if nothing was taken since.
	 * @param elapsed the time in microseconds
	 * @return the same with shorter times
	 */
	public RuleAnswer after(long elapsed) {
		return new RuleAnswer(this.demand, this.time,
				this.outcomes.stream().map((outcome) -> outcome.after(elapsed)).toList());
	}

}
