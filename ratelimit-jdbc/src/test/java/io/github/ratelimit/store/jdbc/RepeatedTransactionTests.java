package io.github.ratelimit.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transactions that the database rolls back. Those that only met others are repeated, and
 * count each call once.
 */
class RepeatedTransactionTests {

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("reply").limit(10, Duration.ofHours(1)).algorithm(Algorithm.TOKEN_BUCKET).build());

	private static final RuleCounts OTHER = RuleCounts
		.of(RateLimitRule.named("post").limit(10, Duration.ofHours(1)).algorithm(Algorithm.TOKEN_BUCKET).build());

	private final HikariDataSource pool = TestDatabase.H2.dataSource();

	/** States with which the next commits fail. */
	private final Queue<String> failures = new ConcurrentLinkedQueue<>();

	/** The number of the next query that locks rows, and of the one that fails. */
	private final AtomicInteger locks = new AtomicInteger();

	private volatile int failing = -1;

	/** Part of the next statement that finds the connection broken, empty for none. */
	private final AtomicReference<String> breaking = new AtomicReference<>("");

	private volatile Runnable beforeLock = () -> {
	};

	private final JdbcRateLimitStore store = store(this.pool);

	@AfterEach
	void close() {
		this.store.close();
		this.pool.close();
	}

	private JdbcRateLimitStore store(DataSource dataSource) {
		return new JdbcRateLimitStore(
				(DataSource) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { DataSource.class },
						(proxy, method, arguments) -> connection(dataSource.getConnection())),
				"test", Duration.ofSeconds(20), 1, SchemaInitialization.ALWAYS, () -> 0);
	}

	private Connection connection(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("setNetworkTimeout")) {
						throw new SQLFeatureNotSupportedException("setNetworkTimeout");
					}
					if (method.getName().equals("commit") && !this.failures.isEmpty()) {
						throw new SQLException("rolled back", this.failures.remove());
					}
					String part = this.breaking.get();
					if (method.getName().equals("prepareStatement") && !part.isEmpty()
							&& arguments[0].toString().contains(part)) {
						this.breaking.set("");
						throw new SQLException("connection lost", "08S01");
					}
					if (method.getName().equals("prepareStatement") && arguments[0].toString().endsWith("for update")) {
						this.beforeLock.run();
						if (this.locks.incrementAndGet() == this.failing) {
							throw new SQLException("deadlock", "40001");
						}
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private void failCommits(String state, int times) {
		this.failures.addAll(Collections.nCopies(times, state));
	}

	private long remaining() {
		return this.store.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining();
	}

	@ParameterizedTest
	@CsvSource({ "40001, 1", "40P01, 1", "23505, 4" })
	void transactionThatMetOthersIsRepeatedAndCountsOnce(String state, int times) {
		remaining();
		failCommits(state, times);
		assertThat(this.store.acquire(new Demand(RULE, "ann", 1)).isAdmitted()).isTrue();
		assertThat(this.failures).isEmpty();
		assertThat(remaining()).isEqualTo(9);
	}

	@ParameterizedTest
	@CsvSource({ "40001, 2, conflict, false", "23505, 5, conflict, false", "HY000, 1, database, true" })
	void transactionThatFailsAgainTakesNothing(String state, int times, String reason, boolean isOutage) {
		remaining();
		failCommits(state, times);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.store.acquire(new Demand(RULE, "ann", 1)))
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(reason))
			.satisfies((failure) -> assertThat(failure.isOutage()).isEqualTo(isOutage));
		assertThat(this.failures).isEmpty();
		assertThat(remaining()).isEqualTo(10);
	}

	@Test
	void refundThatMeetsOthersForLongIsMade() {
		StoreAnswer taken = this.store.acquire(new Demand(RULE, "ann", 1));
		failCommits("40001", 12);
		assertThat(this.store.correct(taken.refunds())).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.failures).isEmpty();
		assertThat(remaining()).isEqualTo(10);
	}

	/** MySQL adds rows in a transaction of their own before it locks them. */
	@Test
	void rowsThatAreDeletedAsSoonAsTheyAreAddedFailACallInTheEnd() {
		TestDatabase.MARIADB.assumeInstalled();
		try (HikariDataSource mariaDb = TestDatabase.MARIADB.dataSource(); JdbcRateLimitStore onIt = store(mariaDb)) {
			onIt.connect();
			this.locks.set(0);
			this.beforeLock = () -> TestDatabase.execute(mariaDb, "delete from ratelimit_state");
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> onIt.acquire(new Demand(RULE, "new", 1)))
				.withMessageContaining("deleted as soon as they were added");
			assertThat(this.locks).hasValue(5);
		}
	}

	/** MySQL adds rows in a transaction of their own before it locks them. */
	@Test
	void transactionThatMeetsOthersAfterItsRowsWereAddedIsRepeated() {
		TestDatabase.MARIADB.assumeInstalled();
		try (HikariDataSource mariaDb = TestDatabase.MARIADB.dataSource(); JdbcRateLimitStore onIt = store(mariaDb)) {
			onIt.connect();
			this.locks.set(0);
			this.failing = 2;
			assertThat(onIt.acquire(new Demand(RULE, "new", 1)).isAdmitted()).isTrue();
			assertThat(this.locks).hasValue(3);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into ratelimit_state", "update ratelimit_state" })
	void transactionWhoseConnectionBreaksBeforeTheCommitIsRepeatedOnAnother(String statement) {
		if (statement.startsWith("update")) {
			this.store.acquire(new Demand(RULE, "ann", 1));
		}
		long before = remaining();
		this.breaking.set(statement);
		assertThat(this.store.acquire(new Demand(RULE, "ann", 1)).isAdmitted()).isTrue();
		assertThat(this.breaking).hasValue("");
		assertThat(remaining()).isEqualTo(before - 1);
	}

	/** PostgreSQL commits with the last statement. */
	@Test
	void transactionOfPostgreSqlWhoseConnectionBreaksBeforeTheLastStatementIsRepeatedOnAnother() {
		TestDatabase.POSTGRESQL.assumeInstalled();
		try (HikariDataSource postgreSql = TestDatabase.POSTGRESQL.dataSource();
				JdbcRateLimitStore onIt = store(postgreSql)) {
			onIt.acquire(new Demand(RULE, "ann", 1));
			this.breaking.set("insert into ratelimit_state");
			Demands both = Demands.of(new Demand(RULE, "ann", 1), new Demand(OTHER, "new", 1));
			assertThat(onIt.acquire(both).isAdmitted()).isTrue();
			assertThat(this.breaking).hasValue("");
			assertThat(onIt.peek(new Demand(RULE, "ann", 1)).outcome(0).remaining()).isEqualTo(8);
			assertThat(onIt.peek(new Demand(OTHER, "new", 1)).outcome(0).remaining()).isEqualTo(9);
		}
	}

	/** Rows that MySQL adds before it locks them count nothing, committed or not. */
	@ParameterizedTest
	@ValueSource(strings = { "insert ignore into", "on duplicate key update" })
	void transactionOfMySqlWhoseConnectionBreaksBeforeTheCommitIsRepeatedOnAnother(String statement) {
		TestDatabase.MARIADB.assumeInstalled();
		try (HikariDataSource mariaDb = TestDatabase.MARIADB.dataSource(); JdbcRateLimitStore onIt = store(mariaDb)) {
			onIt.connect();
			this.breaking.set(statement);
			assertThat(onIt.acquire(new Demand(RULE, "new", 1)).isAdmitted()).isTrue();
			assertThat(this.breaking).hasValue("");
			assertThat(onIt.peek(new Demand(RULE, "new", 1)).outcome(0).remaining()).isEqualTo(9);
		}
	}

}
