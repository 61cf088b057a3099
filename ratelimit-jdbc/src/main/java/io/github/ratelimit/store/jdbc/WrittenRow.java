package io.github.ratelimit.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Row as it is written.
 *
 * @param bannedUntil the end of the ban in microseconds, 0 for none
 * @param expiresAt the time from which on the row may be deleted, in seconds since 1970
 */
record WrittenRow(RowKey key, byte[] state, long bannedUntil, long expiresAt) {

	/**
	 * Unit of expiries. Most calls of a key leave the indexed column as it is, so that
	 * PostgreSQL updates the row in place.
	 */
	private static final long EXPIRY_SECONDS = 60;

	/**
	 * Return when a row expires.
	 * @param unusedAt when it equals one that was never written, in microseconds
	 */
	static long expiry(long unusedAt) {
		return (Math.floorDiv(unusedAt, EXPIRY_SECONDS * 1_000_000) + 1) * EXPIRY_SECONDS;
	}

	/**
	 * Return the same row as one in which nothing counts.
	 */
	WrittenRow unused() {
		return new WrittenRow(this.key, new byte[0], 0, this.expiresAt);
	}

	/**
	 * Set the parameters of a statement that writes the row.
	 * @param from the index of the first one
	 * @return the index of the next one
	 */
	int set(PreparedStatement statement, int from) throws SQLException {
		statement.setBytes(from, this.state);
		statement.setLong(from + 1, this.bannedUntil);
		statement.setLong(from + 2, this.expiresAt);
		return this.key.set(statement, from + 3);
	}

}
