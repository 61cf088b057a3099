package io.github.ratelimit.store.local;

import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Tally;

/**
 * What a rule counts, told once for all its calls.
 */
final class Plan {

	private final RateLimitRule rule;

	private final Tally[] tallies;

	private final boolean paced;

	Plan(RateLimitRule rule) {
		List<Tally> tallies = Tally.of(rule, 0);
		this.rule = rule;
		this.tallies = tallies.toArray(Tally[]::new);
		this.paced = tallies.size() > rule.limits().size();
	}

	RateLimitRule rule() {
		return this.rule;
	}

	/**
	 * How many counts there are.
	 */
	int size() {
		return this.tallies.length;
	}

	/**
	 * Whether there are more counts than limits, since some keep an interval.
	 */
	boolean isPaced() {
		return this.paced;
	}

	Limit limit(int i) {
		return this.tallies[i].limit();
	}

	/**
	 * What a call takes from a count.
	 */
	long cost(int i, long cost) {
		return this.tallies[i].isInterval() ? Math.min(1, cost) : cost;
	}

	/**
	 * What is the same for counts whose states mean the same, whatever their limits are
	 * by now.
	 */
	String meaning(int i) {
		return this.tallies[i].kind() + ' ' + this.tallies[i].name();
	}

}
