package io.github.ratelimit.store.jdbc;

import java.util.stream.Stream;

/**
 * Row as it is written.
 *
 * @param bannedUntil the end of the ban in microseconds, 0 for none
 * @param expiresAt the time from which on the row may be deleted, in seconds since 1970
 */
record WrittenRow(RowKey key, byte[] state, long bannedUntil, long expiresAt) {

	/** The columns beside those of the key, in the order of the {@link #parameters}. */
	static final String COLUMNS = "state, banned_until, expires_at";

	/**
	 * Unit of expiries. Most calls of a key leave the indexed column as it is, so that
	 * PostgreSQL updates the row in place.
	 */
	private static final long EXPIRY_SECONDS = 60;

	/** Return when a row expires that is unused from some microsecond on. */
	static long expiry(long unusedAt) {
		return (Math.floorDiv(unusedAt, EXPIRY_SECONDS * 1_000_000) + 1) * EXPIRY_SECONDS;
	}

	Stream<Object> parameters() {
		return Stream.concat(Stream.of(this.state, this.bannedUntil, this.expiresAt), this.key.parameters());
	}

}
