package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;

/**
 * Answer of a store to a call: one {@link RuleAnswer} per demand. The call is admitted if
 * all rules admit it. The answer to a call under one rule is that of the rule. The values
 * of the decision are computed from it when they are read, since most callers only read
 * whether the call is allowed.
 *
 * @since 0.1.0
 */
public sealed interface StoreAnswer extends Decision.Values permits RuleAnswer, SeveralAnswers {

	/**
	 * {@return the answer to a call, each of whose demands is answered}
	 * @param demands the demands, at least one
	 * @param answer answers one of them
	 */
	static StoreAnswer to(Demands demands, Function<Demand, RuleAnswer> answer) {
		return (demands instanceof Demand demand) ? answer.apply(demand)
				: of(demands.asList().stream().map(answer).toList());
	}

	/**
	 * {@return the answers of several rules as the answer to one call}
	 * @param answers the answer to each demand, at least one
	 */
	static StoreAnswer of(List<RuleAnswer> answers) {
		return (answers.size() == 1) ? answers.get(0) : new SeveralAnswers(List.copyOf(answers), List.of());
	}

	/**
	 * Return the same answer beside those of candidates.
	 * @param answers the answers of candidates of the rules
	 * @return both, or this answer if there are no others
	 */
	default StoreAnswer withTried(List<RuleAnswer> answers) {
		return answers.isEmpty() ? this : new SeveralAnswers(asList(), List.copyOf(answers));
	}

	/**
	 * {@return the answers of candidates to the same call, mostly none}
	 */
	default List<RuleAnswer> tried() {
		return List.of();
	}

	/**
	 * {@return how many rules have answered}
	 */
	default int size() {
		return asList().size();
	}

	/**
	 * {@return the answer of one rule}
	 * @param index the index of its demand, from 0 on
	 */
	default RuleAnswer get(int index) {
		return asList().get(index);
	}

	/**
	 * {@return the answers of all rules as an unmodifiable list, in the order of demands}
	 */
	List<RuleAnswer> asList();

	/**
	 * Return whether the call is admitted, now or after a wait that it accepts.
	 * @return whether its units were taken
	 */
	boolean isAdmitted();

	/**
	 * {@return whether an admitted call holds something until it ends}
	 */
	boolean needsEnd();

	/**
	 * Return how long an admitted call waits before it proceeds.
	 * @return the wait for the slowest rule in microseconds, 0 if the call is denied
	 */
	long delay();

	/**
	 * {@return the answer of the rule with the tightest limit}
	 */
	RuleAnswer tightest();

	@Override
	default boolean allowed() {
		return isAdmitted();
	}

	@Override
	default String rule() {
		return tightest().demand().rule().name();
	}

	@Override
	default long limit() {
		RuleAnswer tightest = tightest();
		return tightest.demand().rule().limits().get(tightest.tightestLimit(isAdmitted())).capacity();
	}

	@Override
	default long remaining() {
		RuleAnswer tightest = tightest();
		return tightest.outcome(tightest.tightestLimit(isAdmitted())).remaining();
	}

	@Override
	default long waitNanos() {
		return nanos(isAdmitted() ? delay() : tightest().retryAfter());
	}

	@Override
	default long resetAfterNanos() {
		RuleAnswer tightest = tightest();
		return nanos(tightest.resetAfter(tightest.tightestLimit(isAdmitted())));
	}

	/**
	 * Return a time as decisions have it.
	 */
	private static long nanos(long micros) {
		return (micros == LimitOutcome.NEVER) ? Long.MAX_VALUE : TimeUnit.MICROSECONDS.toNanos(micros);
	}

	@Override
	default List<Decision.Denial> denials() {
		return isAdmitted() ? List.of() : asList().stream().flatMap((answer) -> answer.denials().stream()).toList();
	}

	@Override
	default List<LimitStatus> limits() {
		return new RuleAnswer.Statuses(this);
	}

	/**
	 * Return the refunds of an admitted call that does not take place.
	 * @return the units of each demand, and those that candidates have counted, even of a
	 * call that is denied
	 */
	default List<Correction> refunds() {
		return asList().stream().map(RuleAnswer::refund).toList();
	}

}
