package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;

/**
 * One of the counts that a call is subject to. Each limit has one; a limit with a
 * {@linkplain Limit#minInterval() minimum interval} has a second one behind it, the time
 * of the last call.
 *
 * @param type the type of the count
 * @param name the name among several limits, {@code null} for the only one
 * @param limit the limit to count by
 * @param cost how many units the call takes
 * @since 0.1.0
 */
public record Tally(CountType type, @Nullable String name, Limit limit, long cost) {

	/**
	 * The counts of a rule.
	 * @param rule the rule
	 * @param cost what the call takes from each of its limits
	 * @return at least one per limit, in order
	 */
	public static List<Tally> of(RateLimitRule rule, long cost) {
		List<Tally> tallies = new ArrayList<>(rule.limits().size());
		for (Limit limit : rule.limits()) {
			String name = (rule.limits().size() > 1) ? limit.name() : null;
			tallies.add(new Tally(CountType.of(limit.algorithm()), name, limit, cost));
			Limit interval = limit.interval();
			if (interval != null) {
				tallies.add(new Tally(CountType.MIN_INTERVAL, name, interval, Math.min(1, cost)));
			}
		}
		return tallies;
	}

	/**
	 * Return what is counted: the same for counts whose states mean the same.
	 * @return the kind of the type
	 */
	public String kind() {
		return this.type.kind();
	}

	/**
	 * Whether this count keeps the interval between calls, of which each takes one unit.
	 * @return {@code false} for that of a limit
	 */
	public boolean isInterval() {
		return this.type == CountType.MIN_INTERVAL;
	}

	/**
	 * The same count for a call that takes another number of units.
	 */
	Tally withCost(long units) {
		return new Tally(this.type, this.name, this.limit, units);
	}

	/**
	 * What the limits of some demands say, given what each of their counts says.
	 * @param demands what a call asks
	 * @param tallied what each count says, in order
	 * @return an outcome per limit, in order
	 */
	public static List<LimitOutcome> merge(List<Demand> demands, List<LimitOutcome> tallied) {
		List<LimitOutcome> outcomes = new ArrayList<>(tallied.size());
		int next = 0;
		for (Demand demand : demands) {
			for (Limit limit : demand.rule().limits()) {
				LimitOutcome outcome = tallied.get(next++);
				outcomes.add((limit.interval() == null) ? outcome : outcome.delayedBy(tallied.get(next++)));
			}
		}
		return outcomes;
	}

}
