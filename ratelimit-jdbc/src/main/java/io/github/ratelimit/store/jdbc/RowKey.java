package io.github.ratelimit.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Primary key of a row. Rows are locked in this order, so calls of several rules do not
 * deadlock.
 *
 * @param rule the counters of a rule, behind the prefix of all keys
 * @param key the stored form of a key
 */
record RowKey(String rule, String key) implements Comparable<RowKey> {

	private static final Comparator<RowKey> ORDER = Comparator.comparing(RowKey::rule).thenComparing(RowKey::key);

	/** Read the key of a row from its first two columns. */
	static RowKey read(ResultSet row) throws SQLException {
		return new RowKey(new String(row.getBytes(1), StandardCharsets.UTF_8),
				new String(row.getBytes(2), StandardCharsets.UTF_8));
	}

	Stream<Object> parameters() {
		return Stream.of(this.rule, this.key).map((text) -> text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public int compareTo(RowKey other) {
		return ORDER.compare(this, other);
	}

}
