package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * One of the counts that a call is subject to. Each limit has one; a limit with a
 * {@linkplain Limit#minInterval() minimum interval} has a second one behind it, the time
 * of the last call.
 *
 * @param kind what is counted: the same for counts whose states mean the same
 * @param name the name among several limits, {@code null} for the only one
 * @param limit the limit to count by
 * @param cost how many units the call takes
 * @since 0.1.0
 */
public record Tally(String kind, @Nullable String name, Limit limit, long cost) {

	private static final String INTERVAL = "interval";

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
			tallies.add(new Tally(kind(limit.algorithm()), name, limit, cost));
			Limit interval = limit.interval();
			if (interval != null) {
				tallies.add(new Tally(INTERVAL, name, interval, Math.min(1, cost)));
			}
		}
		return tallies;
	}

	/**
	 * Whether this count keeps the interval between calls, of which each takes one unit.
	 * @return {@code false} for that of a limit
	 */
	public boolean isInterval() {
		return this.kind.equals(INTERVAL);
	}

	/**
	 * The same count for a call that takes another number of units.
	 */
	Tally withCost(long units) {
		return new Tally(this.kind, this.name, this.limit, units);
	}

	private static String kind(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> "times";
			case TOKEN_BUCKET -> "tokens";
			case WEIGHTED_WINDOW -> "weights";
			case SLIDING_WINDOW -> "segments";
			case FIXED_WINDOW -> "fixed";
			case LEAKY_BUCKET -> "leaky";
			case WARM_UP -> "warming";
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
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
