package io.github.ratelimit.store.local;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.RateLimitRule;

/**
 * What is counted by one rule, whatever its limits are at the moment.
 */
final class LocalRule {

	private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

	private final String name;

	private final Circle circle = new Circle();

	private volatile Plan plan;

	private int place;

	LocalRule(RateLimitRule rule) {
		this.name = rule.name();
		this.plan = new Plan(rule);
	}

	String name() {
		return this.name;
	}

	/**
	 * The entries by key.
	 */
	Map<String, Entry> entries() {
		return this.entries;
	}

	/**
	 * The same entries in the order in which they may be dropped.
	 */
	Circle circle() {
		return this.circle;
	}

	/**
	 * Where the rule is in {@link LargestFirst}.
	 */
	int place() {
		return this.place;
	}

	void place(int changed) {
		this.place = changed;
	}

	/**
	 * What the rule counts; made anew when it has changed.
	 */
	Plan plan(RateLimitRule rule) {
		Plan known = this.plan;
		if (known.rule() == rule) {
			return known;
		}
		Plan changed = new Plan(rule);
		this.plan = changed;
		return changed;
	}

}
