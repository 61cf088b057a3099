package io.github.ratelimit.store;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Count;

/**
 * Answer of a store to one demand: the outcome of each limit of the rule, and the time of
 * the decision. Failure domains of a store may have clocks of their own.
 *
 * @param demand the demand
 * @param time when it was decided, in microseconds of the clock by which it is counted
 * @param first the outcome of the first limit, the only one of most rules
 * @param others the outcomes of the other limits, in order
 * @since 0.1.0
 */
public record RuleAnswer(Demand demand, long time, LimitOutcome first,
		List<LimitOutcome> others) implements StoreAnswer {

	/**
	 * Create the answer of all counts of a rule.
	 * @param demand the demand
	 * @param time when it was decided
	 * @param ofCount returns the outcome of the count with an index
	 * @return the answer, with the outcomes of the limits
	 */
	public static RuleAnswer of(Demand demand, long time, IntFunction<LimitOutcome> ofCount) {
		LimitOutcome first = ofCount.apply(0);
		return (demand.counts().size() == 1) ? new RuleAnswer(demand, time, first, List.of())
				: of(demand, time, demand.counts().outcomes(first, ofCount));
	}

	private static RuleAnswer of(Demand demand, long time, List<LimitOutcome> outcomes) {
		return new RuleAnswer(demand, time, outcomes.get(0), List.copyOf(outcomes.subList(1, outcomes.size())));
	}

	/**
	 * Return how many limits the rule has.
	 * @return the number of outcomes
	 */
	public int limitCount() {
		return 1 + this.others.size();
	}

	/**
	 * Return the outcome of one limit.
	 * @param limit the index of the limit
	 * @return the outcome
	 */
	public LimitOutcome outcome(int limit) {
		return (limit == 0) ? this.first : this.others.get(limit - 1);
	}

	/**
	 * Return the outcomes of all limits.
	 * @return a new list, in the order of the limits
	 */
	public List<LimitOutcome> outcomes() {
		return IntStream.range(0, limitCount()).mapToObj(this::outcome).toList();
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
		return retryAfter(outcome(limit).retryAfter());
	}

	private long retryAfter(long wait) {
		return (wait == Count.NEVER) ? Count.NEVER : Math.max(0, wait - this.demand.maxWaitMicros());
	}

	private long longestWait() {
		long wait = this.first.retryAfter();
		for (int i = 1; i < limitCount(); i++) {
			wait = LimitOutcome.longer(wait, outcome(i).retryAfter());
		}
		return wait;
	}

	@Override
	public RuleAnswer tightest() {
		return this;
	}

	/**
	 * Return the limit that matters most: of a denied call the one that holds longest, of
	 * an allowed call the one with the fewest units left.
	 * @param allowed whether the call is allowed, by all its rules
	 * @return the index of the limit
	 */
	int tightestLimit(boolean allowed) {
		int tightest = 0;
		for (int i = 1; i < limitCount(); i++) {
			tightest = isTighter(allowed, i, this, tightest) ? i : tightest;
		}
		return tightest;
	}

	/**
	 * Return whether a limit of this answer matters more than one of another answer.
	 */
	boolean isTighter(boolean allowed, int limit, RuleAnswer other, int otherLimit) {
		return allowed ? outcome(limit).leavesLessThan(other.outcome(otherLimit))
				: LimitOutcome.isLonger(retryAfter(limit), other.retryAfter(otherLimit));
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
		return new RuleAnswer(other, this.time, this.first, this.others);
	}

	/**
	 * Return the answer to the same call some time later, if nothing was taken since.
	 * @param elapsed the time in microseconds
	 * @return the same with shorter times
	 */
	public RuleAnswer after(long elapsed) {
		return new RuleAnswer(this.demand, this.time, this.first.after(elapsed), this.others.isEmpty() ? this.others
				: this.others.stream().map((outcome) -> outcome.after(elapsed)).toList());
	}

}
