package io.github.ratelimit.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections of a pool that resets nothing when they come back: the application gets
 * them as they were.
 */
class ReturnedConnectionTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("reply").limit(1, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build());

	private final Semaphore free = new Semaphore(1, true);

	/** Methods of the connection that were called. */
	private final Queue<String> used = new ConcurrentLinkedQueue<>();

	/** The pool has this connection only, for one user at a time. */
	private final DataSource pool = (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> borrowed());

	private String url;

	private Connection physical;

	private int networkTimeout;

	private JdbcRateLimitStore store;

	static Stream<Arguments> databases() {
		return Stream.of(TestDatabase.values())
			.flatMap((database) -> Stream.of(true, false).map((commits) -> Arguments.of(database, commits)));
	}

	private void start(TestDatabase database, boolean commits) throws SQLException {
		database.assumeInstalled();
		this.url = database.newUrl();
		this.physical = DriverManager.getConnection(this.url);
		this.physical.setAutoCommit(commits);
		this.physical.setNetworkTimeout(Runnable::run, 60_000);
		this.networkTimeout = this.physical.getNetworkTimeout();
		this.store = new JdbcRateLimitStore(this.pool, "test", TIMEOUT, 1, SchemaInitialization.ALWAYS, null);
	}

	@AfterEach
	void close() throws SQLException {
		if (this.physical != null) {
			this.store.close();
			this.physical.close();
		}
	}

	private Connection borrowed() throws InterruptedException {
		this.free.acquire();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					this.used.add(method.getName());
					if (method.getName().equals("close")) {
						this.free.release();
						return null;
					}
					try {
						return method.invoke(this.physical, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private void assertThatConnectionIsAsItWas(TestDatabase database, boolean commits) throws SQLException {
		try (Connection next = this.pool.getConnection()) {
			assertThat(next.getAutoCommit()).as("auto-commit").isEqualTo(commits);
			assertThat(next.getNetworkTimeout()).as("network timeout").isEqualTo(this.networkTimeout);
			assertThat(transactions(database, next)).as("transactions that are open").isZero();
		}
	}

	private int transactions(TestDatabase database, Connection next) throws SQLException {
		try (Connection other = DriverManager.getConnection(this.url);
				Statement statement = ((database == TestDatabase.MARIADB) ? next : other).createStatement();
				ResultSet rows = statement.executeQuery(switch (database) {
					case POSTGRESQL -> "select count(*) from pg_stat_activity where datname = current_database()"
							+ " and state like 'idle in transaction%'";
					case MARIADB -> "select @@in_transaction";
					case H2 -> "select count(*) from information_schema.sessions"
							+ " where contains_uncommitted and session_id <> session_id()";
				})) {
			rows.next();
			return rows.getInt(1);
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void decidedCallsLeaveTheConnectionAsItWas(TestDatabase database, boolean commits) throws SQLException {
		start(database, commits);
		this.store.connect();
		assertThatConnectionIsAsItWas(database, commits);
		for (boolean admitted : new boolean[] { true, false }) {
			assertThat(this.store.acquire(new Demand(RULE, "ann", 1)).isAdmitted()).isEqualTo(admitted);
			assertThatConnectionIsAsItWas(database, commits);
		}
		if (!commits) { // MySQL's driver would send what is so already
			assertThat(this.used).doesNotContain("setAutoCommit");
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void otherWorkLeavesTheConnectionAsItWas(TestDatabase database, boolean commits) throws SQLException {
		start(database, commits);
		this.store.connect();
		assertThat(this.store.bans(RULE)).isEmpty();
		assertThatConnectionIsAsItWas(database, commits);
		this.store.deleteExpired(Long.MAX_VALUE);
		assertThatConnectionIsAsItWas(database, commits);
	}

	@ParameterizedTest
	@MethodSource("databases")
	void failedCallsAndWorkLeaveTheConnectionAsItWas(TestDatabase database, boolean commits) throws SQLException {
		start(database, commits);
		this.store.connect();
		try (Connection other = DriverManager.getConnection(this.url); Statement drop = other.createStatement()) {
			drop.execute("drop table ratelimit_state");
		}
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.store.acquire(new Demand(RULE, "ann", 1)))
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("schema"));
		assertThatConnectionIsAsItWas(database, commits);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.store.bans(RULE));
		assertThatConnectionIsAsItWas(database, commits);
	}

	@ParameterizedTest
	@MethodSource("databases")
	void errorWithinATransactionRollsItBack(TestDatabase database, boolean commits) throws SQLException {
		start(database, commits);
		RowNames names = new RowNames("test");
		RowKey key = names.shared("error", "");
		StateTable table = new StateTable(names, 1, TIMEOUT, SchemaInitialization.ALWAYS, null);
		try (CallQueue queue = new CallQueue(this.pool, table, new JdbcFailures(TIMEOUT), 1)) {
			assertThat(queue.call(List.of(key), (rows) -> {
				rows.share(key, new byte[] { 1 }, Long.MAX_VALUE);
				return true;
			})).succeedsWithin(TIMEOUT);
			assertThat(queue.call(List.of(key), (rows) -> {
				throw new OutOfMemoryError("test");
			})).failsWithin(TIMEOUT).withThrowableThat().havingRootCause().withMessage("test");
			assertThatConnectionIsAsItWas(database, commits);
		}
	}

}
