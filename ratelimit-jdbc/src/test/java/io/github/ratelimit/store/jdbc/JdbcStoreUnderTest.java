package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.tck.StoreUnderTest;

/**
 * Store in the database that {@code ratelimit.test.database} names: H2 by default. Its
 * time stands still between calls. Expired rows are never deleted.
 */
public final class JdbcStoreUnderTest implements StoreUnderTest {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final TestDatabase database = TestDatabase.selected();

	private volatile long now;

	private final JdbcRateLimitStore store = new JdbcRateLimitStore(this.database.dataSource(), "test", PATIENCE, 2,
			SchemaInitialization.ALWAYS, () -> this.now);

	@Override
	public RateLimitStore store() {
		return this.store;
	}

	@Override
	public void setClock(long micros) {
		this.now = micros;
	}

	@Override
	public List<RateLimitStore> instancesOnTheRealClock() {
		return RealClock.INSTANCES;
	}

	@Override
	public String toString() {
		return "jdbc on " + this.database;
	}

	/**
	 * Instances that all tests share; they end with the JVM. Their database is another
	 * one, since they delete rows that have expired by the real clock.
	 */
	private static final class RealClock {

		private static final DataSource DATABASE = TestDatabase.selected().dataSource();

		static final List<RateLimitStore> INSTANCES = List.of(instance(), instance());

		private static RateLimitStore instance() {
			return new JdbcRateLimitStore(DATABASE, "test", PATIENCE, 4, SchemaInitialization.ALWAYS);
		}

	}

}
