package io.github.ratelimit.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * Primary key of a row. Rows are locked in this order, so calls of several rules do not
 * deadlock.
 *
 * @param rule the counters of a rule, behind the prefix of all keys
 * @param key the stored form of a key
 */
record RowKey(String rule, String key) implements Comparable<RowKey> {

	private static final Comparator<RowKey> ORDER = Comparator.comparing(RowKey::rule).thenComparing(RowKey::key);

	static RowKey read(byte[] rule, byte[] key) {
		return new RowKey(new String(rule, StandardCharsets.UTF_8), new String(key, StandardCharsets.UTF_8));
	}

	byte[] ruleBytes() {
		return this.rule.getBytes(StandardCharsets.UTF_8);
	}

	byte[] keyBytes() {
		return this.key.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public int compareTo(RowKey other) {
		return ORDER.compare(this, other);
	}

}
