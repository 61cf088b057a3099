package io.github.ratelimit.store.local;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Entries of one rule, which survive changes of its limits.
 */
final class LocalRule {

	private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

	private final String name;

	private final Circle circle = new Circle();

	private int place;

	LocalRule(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	/**
	 * Return the entries by key.
	 */
	Map<String, Entry> entries() {
		return this.entries;
	}

	/**
	 * Return the same entries in eviction order.
	 */
	Circle circle() {
		return this.circle;
	}

	/**
	 * Return the index of the rule in {@link LargestFirst}.
	 */
	int place() {
		return this.place;
	}

	void place(int changed) {
		this.place = changed;
	}

}
