package io.github.ratelimit.store;

import java.util.List;
import java.util.function.Function;

/**
 * Answer of a store to a call: one {@link RuleAnswer} per demand. The call is admitted if
 * all rules admit it. The answer to a call under one rule is that of the rule.
 *
 * @since 0.1.0
 */
public sealed interface StoreAnswer permits RuleAnswer, SeveralAnswers {

	/**
	 * Answer each demand of a call.
	 * @param demands the demands, at least one
	 * @param answer answers one of them
	 * @return the answer to the call
	 */
	static StoreAnswer to(Demands demands, Function<Demand, RuleAnswer> answer) {
		return (demands instanceof Demand demand) ? answer.apply(demand)
				: of(demands.asList().stream().map(answer).toList());
	}

	/**
	 * Combine the answers of several rules into the answer to one call.
	 * @param answers the answer to each demand, at least one
	 * @return the answer to the call
	 */
	static StoreAnswer of(List<RuleAnswer> answers) {
		return (answers.size() == 1) ? answers.get(0) : new SeveralAnswers(List.copyOf(answers));
	}

	/**
	 * Return how many rules have answered.
	 * @return the number of demands
	 */
	int size();

	/**
	 * Return the answer of one rule.
	 * @param index the index of its demand, from 0 on
	 * @return the answer
	 */
	RuleAnswer get(int index);

	/**
	 * Return the answers of all rules.
	 * @return an unmodifiable list, in the order of the demands
	 */
	List<RuleAnswer> asList();

	/**
	 * Return whether the call is admitted, now or after a wait that it accepts.
	 * @return whether its units were taken
	 */
	boolean isAdmitted();

	/**
	 * Return how long an admitted call waits before it proceeds.
	 * @return the wait for the slowest rule in microseconds, 0 if the call is denied
	 */
	long delay();

	/**
	 * Return the refunds of an admitted call that does not take place.
	 * @return the units of each demand
	 */
	default List<Refund> refunds() {
		return asList().stream().map(RuleAnswer::refund).toList();
	}

}
