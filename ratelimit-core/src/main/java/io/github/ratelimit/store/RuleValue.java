package io.github.ratelimit.store;

import java.util.function.Function;

/**
 * Value that a store derives from a rule, computed once for each prepared rule, like a
 * {@link ClassValue} for classes. It is found by identity, without a map.
 *
 * @param <T> the type of the value
 * @since 0.1.0
 */
public final class RuleValue<T> {

	private final Function<RuleCounts, T> compute;

	public RuleValue(Function<RuleCounts, T> compute) {
		this.compute = compute;
	}

	/** Return the value for a rule. */
	public T get(RuleCounts counts) {
		return counts.value(this);
	}

	T compute(RuleCounts counts) {
		return this.compute.apply(counts);
	}

}
