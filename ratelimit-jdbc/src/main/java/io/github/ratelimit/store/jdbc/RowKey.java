package io.github.ratelimit.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

	/**
	 * Read the key of a row from its first two columns.
	 */
	static RowKey read(ResultSet row) throws SQLException {
		return new RowKey(new String(row.getBytes(1), StandardCharsets.UTF_8),
				new String(row.getBytes(2), StandardCharsets.UTF_8));
	}

	/**
	 * Set the parameters of a statement that finds the row.
	 * @param from the index of the first one
	 * @return the index of the next one
	 */
	int set(PreparedStatement statement, int from) throws SQLException {
		statement.setBytes(from, this.rule.getBytes(StandardCharsets.UTF_8));
		statement.setBytes(from + 1, this.key.getBytes(StandardCharsets.UTF_8));
		return from + 2;
	}

	@Override
	public int compareTo(RowKey other) {
		return ORDER.compare(this, other);
	}

}
