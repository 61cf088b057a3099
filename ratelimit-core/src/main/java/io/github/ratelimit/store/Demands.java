package io.github.ratelimit.store;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Demands of one call, which are decided together: all are granted, or none is. Nearly
 * every call is subject to one rule, and its {@link Demand} is all of its demands. No two
 * have the same rule and key.
 *
 * @since 0.1.0
 */
public sealed interface Demands permits Demand, SeveralDemands {

	/**
	 * No demand: the call is not limited.
	 */
	Demands NONE = new SeveralDemands(List.of());

	/**
	 * {@return some demands as those of one call, in the same order}
	 * @param demands the demands
	 */
	static Demands of(List<Demand> demands) {
		return switch (demands.size()) {
			case 0 -> NONE;
			case 1 -> demands.get(0);
			default -> new SeveralDemands(List.copyOf(demands));
		};
	}

	/**
	 * {@return some demands as those of one call, in the same order}
	 * @param demands the demands
	 */
	static Demands of(Demand... demands) {
		return of(List.of(demands));
	}

	/**
	 * {@return how many demands there are, one for each rule that the call is subject to}
	 */
	default int size() {
		return asList().size();
	}

	/**
	 * {@return one of the demands}
	 * @param index its index, from 0 on
	 */
	default Demand get(int index) {
		return asList().get(index);
	}

	/**
	 * {@return the demands as an unmodifiable list}
	 */
	List<Demand> asList();

	/**
	 * {@return whether there is no demand, so that the call is not limited}
	 */
	default boolean isEmpty() {
		return size() == 0;
	}

	/**
	 * Return the demands of the same call to the candidates of its rules, each of which
	 * is decided by itself, by the clock of the call and in the order of the calls.
	 * @return a demand for each candidate of each demand that costs something, mostly
	 * none
	 */
	List<Demand> tried();

	/**
	 * Return whether the call holds something until it ends.
	 * @return {@code false} if its units are all that it takes
	 */
	boolean needsEnd();

	/**
	 * Replace each demand.
	 * @param change returns the replacement of a demand
	 * @return the replacements in the same order
	 */
	Demands map(UnaryOperator<Demand> change);

	/**
	 * {@return the demands that fulfill a condition, in the same order}
	 * @param condition which ones
	 */
	default Demands filter(Predicate<Demand> condition) {
		return of(asList().stream().filter(condition).toList());
	}

}
