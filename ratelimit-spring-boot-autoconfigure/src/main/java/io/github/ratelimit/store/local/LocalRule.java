package io.github.ratelimit.store.local;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Entries of one rule, whatever its limits are at the moment.
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
	 * The index of the rule in {@link LargestFirst}.
	 */
	int place() {
		return this.place;
	}

	void place(int changed) {
		this.place = changed;
	}

}
