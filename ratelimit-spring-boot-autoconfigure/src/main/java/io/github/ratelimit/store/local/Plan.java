package io.github.ratelimit.store.local;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Tally;

/**
 * What a rule counts, told once for all its calls.
 */
final class Plan {

	private final RateLimitRule rule;

	private final Tally[] tallies;

	Plan(RateLimitRule rule) {
		this.rule = rule;
		this.tallies = Tally.of(rule, 0).toArray(Tally[]::new);
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

	Limit limit(int i) {
		return this.tallies[i].limit();
	}

	CountType type(int i) {
		return this.tallies[i].type();
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
