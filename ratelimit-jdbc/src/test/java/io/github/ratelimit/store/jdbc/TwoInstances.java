package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

/**
 * Two instances that share a new database, by a clock that a test advances. They delete
 * no expired rows by themselves.
 */
final class TwoInstances implements AutoCloseable {

	/** The time at the beginning. */
	static final Instant BEGINNING = Instant.parse("2026-11-29T09:00:00Z");

	private final HikariDataSource pool = TestDatabase.selected().dataSource();

	private volatile long now = TimeUnit.SECONDS.toMicros(BEGINNING.getEpochSecond());

	private final JdbcRateLimitStore first = another();

	private final JdbcRateLimitStore second = another();

	JdbcRateLimitStore first() {
		return this.first;
	}

	JdbcRateLimitStore second() {
		return this.second;
	}

	/** Create an instance that the test closes itself. */
	JdbcRateLimitStore another() {
		return new JdbcRateLimitStore(this.pool, "test", Duration.ofSeconds(20), 2, SchemaInitialization.ALWAYS,
				() -> this.now);
	}

	/** Return the time of the clock in microseconds. */
	long now() {
		return this.now;
	}

	void advance(Duration time) {
		this.now += TimeUnit.NANOSECONDS.toMicros(time.toNanos());
	}

	/** Delete rows that have expired at a time from now. */
	void deleteExpiredIn(Duration time) {
		this.first.deleteExpired(this.now + TimeUnit.NANOSECONDS.toMicros(time.toNanos()));
	}

	/** Execute a command of another program. */
	void execute(String command) {
		TestDatabase.execute(this.pool, command);
	}

	@Override
	public void close() {
		this.first.close();
		this.second.close();
		this.pool.close();
	}

}
