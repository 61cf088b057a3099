package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Rule prepared for counting: its counts and the {@linkplain RuleValue values} that
 * stores derive from it. It is created once, when the rule comes into force, and is part
 * of each {@link Demand}.
 *
 * <p>
 * Counters belong to the name of the rule and the {@linkplain CountSpec#meaning meaning}
 * of each count. A rule that changes, by configuration or as a {@linkplain #variant
 * variant} with other numbers, is prepared anew and keeps its counters.
 *
 * @since 0.1.0
 */
public final class RuleCounts {

	private final RateLimitRule rule;

	private final CountSpec[] specs;

	private final long maxWaitMicros;

	private volatile @Nullable Computed<?> computed;

	private volatile @Nullable RuleCounts variant;

	private RuleCounts(RateLimitRule rule) {
		this.rule = rule;
		this.specs = specs(rule);
		this.maxWaitMicros = rule.maxWait().toNanos() / 1000;
	}

	/**
	 * Prepare a rule.
	 * @param rule the rule, none of its limits counted by {@code DEFAULT}
	 * @return the prepared rule
	 */
	public static RuleCounts of(RateLimitRule rule) {
		return new RuleCounts(rule);
	}

	private static CountSpec[] specs(RateLimitRule rule) {
		List<CountSpec> specs = new ArrayList<>();
		for (Limit limit : rule.limits()) {
			String name = (rule.limits().size() > 1) ? limit.name() : null;
			specs.add(CountSpec.of(limit, name));
			Limit interval = limit.interval();
			if (interval != null) {
				specs.add(CountSpec.ofInterval(interval, name));
			}
		}
		return specs.toArray(CountSpec[]::new);
	}

	/**
	 * Return the rule.
	 * @return the rule as it counts now
	 */
	public RateLimitRule rule() {
		return this.rule;
	}

	/**
	 * Return how many counts the rule has, at least one for each limit.
	 * @return the number of counts
	 */
	public int size() {
		return this.specs.length;
	}

	/**
	 * Return one of the counts. Those of a limit follow each other, in the order of the
	 * limits.
	 * @param index its index, from 0 on
	 * @return the count
	 */
	public CountSpec get(int index) {
		return this.specs[index];
	}

	/**
	 * Return how long a call may wait by default.
	 * @return the wait of the rule in microseconds
	 */
	public long maxWaitMicros() {
		return this.maxWaitMicros;
	}

	/**
	 * Return this rule with other numbers and the same counters. The latest variant is
	 * cached.
	 * @param changed the rule with its current numbers
	 * @return the prepared variant, or this object if nothing has changed
	 */
	public RuleCounts variant(RateLimitRule changed) {
		if (changed == this.rule) {
			return this;
		}
		RuleCounts known = this.variant;
		if (known == null || known.rule != changed) {
			known = new RuleCounts(changed);
			this.variant = known;
		}
		return known;
	}

	/**
	 * Return this rule with numbers of one key's own, and the same counters. Whoever
	 * keeps them caches the result.
	 * @param changed the rule with these numbers
	 * @return a newly prepared variant
	 */
	public RuleCounts withNumbers(RateLimitRule changed) {
		return new RuleCounts(changed);
	}

	/**
	 * Merge the outcomes of several counts to those of the limits.
	 * @param first the outcome of the first count
	 * @param ofCount returns the outcome of the count with an index, which grows
	 * @return an outcome per limit, in order
	 */
	List<LimitOutcome> outcomes(LimitOutcome first, IntFunction<LimitOutcome> ofCount) {
		List<LimitOutcome> outcomes = new ArrayList<>(this.specs.length);
		outcomes.add(first);
		for (int i = 1; i < this.specs.length; i++) {
			if (this.specs[i].isInterval()) {
				int last = outcomes.size() - 1;
				outcomes.set(last, outcomes.get(last).delayedBy(ofCount.apply(i)));
			}
			else {
				outcomes.add(ofCount.apply(i));
			}
		}
		return outcomes;
	}

	<T> T value(RuleValue<T> of) {
		Computed<T> known = computed(of);
		return (known != null) ? known.value : compute(of);
	}

	private synchronized <T> T compute(RuleValue<T> of) {
		Computed<T> known = computed(of);
		if (known == null) {
			known = new Computed<>(of, of.compute(this), this.computed);
			this.computed = known;
		}
		return known.value;
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable Computed<T> computed(RuleValue<T> of) {
		for (Computed<?> each = this.computed; each != null; each = each.next) {
			if (each.of == of) {
				return (Computed<T>) each;
			}
		}
		return null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RuleCounts that && this.rule.equals(that.rule);
	}

	@Override
	public int hashCode() {
		return this.rule.hashCode();
	}

	@Override
	public String toString() {
		return this.rule.toString();
	}

	/**
	 * Value computed for this rule, linked to those computed before.
	 */
	private record Computed<T>(RuleValue<T> of, T value, @Nullable Computed<?> next) {

	}

}
