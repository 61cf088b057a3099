package io.github.ratelimit.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Instances that take turns to delete expired rows, by a clock and a timer of the test.
 */
class ExpiredRowsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@AutoClose
	private final HikariDataSource pool = TestDatabase.H2.dataSource();

	private volatile long now = TimeUnit.DAYS.toMicros(20_000);

	@AutoClose
	private final JdbcRateLimitStore store = new JdbcRateLimitStore(this.pool, "test", PATIENCE, 2,
			SchemaInitialization.ALWAYS, () -> this.now);

	private final List<Runnable> scheduled = new ArrayList<>();

	@AutoClose("shutdownNow")
	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1) {

		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long pause, TimeUnit unit) {
			assertThat(first).isBetween(0L, pause);
			assertThat(unit.toMinutes(pause)).isEqualTo(1);
			ExpiredRowsTests.this.scheduled.add(command);
			return schedule(() -> {
			}, 0, unit);
		}

	};

	@BeforeEach
	void beginInTwoInstances() {
		this.store.connect();
		for (int i = 0; i < 2; i++) {
			StateTable table = new StateTable(new RowNames("test"), i, PATIENCE, SchemaInitialization.NEVER,
					() -> this.now);
			CallQueue queue = new CallQueue(this.pool, table, new JdbcFailures(PATIENCE), 1);
			new ExpiredRows(queue, table).begin(this.store, this.timer);
			assertThat(queue.call(List.of(new RowKey("rule", "key")), (rows) -> true)).succeedsWithin(PATIENCE);
		}
	}

	private void addExpiredRow() {
		TestDatabase.execute(this.pool,
				"insert into ratelimit_state (state, banned_until, expires_at, rule_name, rule_key)"
						+ " values (x'', 0, 1, x'00', x'00')");
	}

	private long expiredRows() throws SQLException {
		try (Connection connection = this.pool.getConnection();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select count(*) from ratelimit_state where expires_at = 1")) {
			rows.next();
			return rows.getLong(1);
		}
	}

	@Test
	void oneOfAllInstancesDeletesOncePerMinute() throws SQLException {
		addExpiredRow();
		this.scheduled.get(0).run();
		assertThat(expiredRows()).isZero();
		addExpiredRow();
		this.scheduled.forEach(Runnable::run);
		assertThat(expiredRows()).as("nobody's turn").isEqualTo(1);
		this.now += TimeUnit.MINUTES.toMicros(1);
		this.scheduled.get(1).run();
		assertThat(expiredRows()).isZero();
	}

	@Test
	void tableIsCreatedByOtherCallsAlone() {
		try (HikariDataSource empty = TestDatabase.H2.dataSource();
				JdbcRateLimitStore unused = new JdbcRateLimitStore(empty, "test", PATIENCE, 2,
						SchemaInitialization.ALWAYS, () -> this.now)) {
			StateTable table = new StateTable(new RowNames("test"), 3, PATIENCE, SchemaInitialization.ALWAYS,
					() -> this.now);
			new ExpiredRows(new CallQueue(empty, table, new JdbcFailures(PATIENCE), 1), table).begin(unused,
					this.timer);
			this.scheduled.get(2).run();
			assertThatNoException().as("a migration creates it still")
				.isThrownBy(() -> TestDatabase.execute(empty, "create table ratelimit_state (id int)"));
		}
	}

	@Test
	void databaseThatFailsStopsNoTimer() {
		this.store.close();
		assertThatNoException().isThrownBy(() -> this.scheduled.forEach(Runnable::run));
	}

}
