package io.github.ratelimit.store.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Reasons of failures, by what drivers and pools report.
 */
class JdbcFailuresTests {

	private final JdbcFailures failures = new JdbcFailures(Duration.ofMillis(100));

	private static SQLException failure(String state, int code) {
		return new SQLException("failed", state, code);
	}

	@ParameterizedTest
	@CsvSource({ "08006, 0, connection, true", "57P01, 0, connection, true", "57P05, 0, connection, true",
			"25P03, 0, connection, true", "70100, 1927, connection, true", "HY000, 4031, connection, true",
			"08007, 0, connection, false", "40001, 0, conflict, false", "40P01, 0, conflict, false",
			"23505, 0, conflict, false", "42P01, 0, schema, true", "42S02, 0, schema, true", "42S04, 0, schema, true",
			"42501, 0, permission, true", "25006, 0, readonly, true", "HY000, 1290, readonly, true",
			"HY000, 1792, readonly, true", "HY000, 1836, readonly, true", "55P03, 0, timeout, false",
			"70100, 0, timeout, false", "HYT00, 0, timeout, false", "HY000, 1205, timeout, false",
			"40001, 1205, timeout, false", "23000, 1205, conflict, false", "HY000, 0, database, true",
			", 0, database, true" })
	void reasonFollowsTheStateOrTheCode(String state, int code, String reason, boolean isOutage) {
		StoreException failed = this.failures.of(failure(state, code));
		assertThat(failed.reason()).isEqualTo(reason);
		assertThat(failed.isOutage()).isEqualTo(isOutage);
		assertThat(failed.remedy() != null).as("has a remedy").isEqualTo("schema permission".contains(reason));
	}

	@Test
	void reasonFollowsTheTypeOfTheFailure() {
		SQLException silent = new SQLException("failed", "08006", new SocketTimeoutException());
		assertThat(this.failures.of(silent).reason()).isEqualTo("timeout");
		assertThat(this.failures.of(silent).isOutage()).isTrue();
		assertThat(this.failures.of(new SQLTimeoutException("failed")))
			.satisfies((failed) -> assertThat(failed.reason()).isEqualTo("timeout"))
			.satisfies((failed) -> assertThat(failed.isOutage()).as("a locked row").isFalse());
		assertThat(this.failures.of(new SQLRecoverableException("failed")).reason()).isEqualTo("connection");
		assertThat(this.failures.of(new SQLTransientConnectionException("failed")).reason()).isEqualTo("pool");
		assertThat(this.failures.of(new SQLTransientConnectionException("failed", "08001", failure("08001", 0))))
			.satisfies((failed) -> assertThat(failed.reason()).isEqualTo("connection"));
		assertThat(this.failures.of(new SQLFeatureNotSupportedException("failed")))
			.satisfies((failed) -> assertThat(failed.reason()).isEqualTo("unsupported"))
			.satisfies((failed) -> assertThat(failed.remedy()).isNotNull());
		assertThat(this.failures.of(new IllegalStateException("broken")))
			.satisfies((failed) -> assertThat(failed.reason()).isEqualTo("unknown"))
			.satisfies((failed) -> assertThat(failed.isOutage()).isTrue());
	}

	/** Tomcat JDBC, Commons DBCP2 and others give the exhaustion of a pool no state. */
	@Test
	void poolHasNoConnectionInTimeUnlessAStateSaysMore() {
		assertThat(reasonOfPool(new SQLException("Timeout: Pool empty."))).isEqualTo("pool");
		assertThat(reasonOfPool(new SQLException("pool error", new NoSuchElementException()))).isEqualTo("pool");
		assertThat(reasonOfPool(new SQLTransientConnectionException("timed out"))).isEqualTo("pool");
		assertThat(reasonOfPool(new SQLException("Cannot create a factory", failure("08001", 0))))
			.isEqualTo("connection");
		assertThat(reasonOfPool(failure("08S01", 0))).isEqualTo("connection");
		assertThat(reasonOfPool(failure("28P01", 0))).isEqualTo("database");
		assertThat(reasonOfPool(new SQLException("failed", "08001", new SocketTimeoutException())))
			.isEqualTo("timeout");
	}

	@Test
	void poolThatTimesOutHasLockedNoRow() {
		assertThat(reasonOfPool(new SQLTimeoutException("failed"))).isEqualTo("pool");
		assertThat(reasonOfPool(failure("HYT00", 0))).isEqualTo("pool");
	}

	private String reasonOfPool(SQLException failure) {
		SQLException ofPool = JdbcFailures.ofPool(failure);
		assertThat(JdbcFailures.isLocked(ofPool)).isFalse();
		assertThat(JdbcFailures.isBroken(ofPool)).isFalse();
		StoreException failed = this.failures.of(ofPool);
		assertThat(failed.isOutage()).isTrue();
		return failed.reason();
	}

	@Test
	void messageHasNoValues() {
		SQLException failure = new SQLException("Duplicate entry 'ann' for (rule_key)=(ann)\n  Detail: the row of ann",
				"HY000");
		assertThat(this.failures.of(failure)).hasMessage("The database failed: Duplicate entry … for …=…");
		assertThat(this.failures.of(new SQLException())).hasMessage("The database failed: ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "08000", "08003", "08006", "08S01", "57P01", "57P02", "57P05", "25P03" })
	void transactionOfABrokenConnectionMayBeRepeatedUntilItIsCommitted(String state) {
		SQLException broken = failure(state, 0);
		assertThat(JdbcFailures.isBroken(broken)).isTrue();
		SQLException ofCommit = JdbcFailures.ofCommit(broken);
		assertThat(JdbcFailures.isBroken(ofCommit)).isFalse();
		assertThat(this.failures.of(ofCommit).isOutage()).as("other connections may be healthy").isFalse();
	}

	/** MariaDB reports it with the state of a statement that was interrupted. */
	@ParameterizedTest
	@CsvSource({ "70100, 1927", "HY000, 4031" })
	void connectionThatTheServerClosedIsBrokenAndNoRowIsLocked(String state, int code) {
		SQLException killed = new SQLTimeoutException("failed", state, code);
		assertThat(JdbcFailures.isBroken(killed)).isTrue();
		assertThat(JdbcFailures.isLocked(killed)).isFalse();
		assertThat(JdbcFailures.isBroken(JdbcFailures.ofCommit(killed))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "08007", "40001", "55P03", "HY000" })
	void otherFailuresAreOfNoBrokenConnection(String state) {
		SQLException failure = failure(state, 0);
		assertThat(JdbcFailures.isBroken(failure)).isFalse();
		assertThat((Throwable) JdbcFailures.ofCommit(failure)).isSameAs(failure);
	}

	/** A late KILL QUERY of MySQL's driver may hit it, and the server has committed. */
	@Test
	void commitThatWasInterruptedMayHaveTakenPlace() {
		SQLException interrupted = failure("70100", 1317);
		assertThat(JdbcFailures.isLocked(interrupted)).isTrue();
		SQLException ofCommit = JdbcFailures.ofCommit(interrupted);
		assertThat(JdbcFailures.isLocked(ofCommit)).as("repeated").isFalse();
		assertThat(JdbcFailures.isBroken(ofCommit)).as("repeated").isFalse();
		assertThat(this.failures.of(ofCommit).reason()).isEqualTo("connection");
		assertThat(this.failures.of(ofCommit).isOutage()).isFalse();
	}

	@Test
	void typesTellWhetherAConnectionIsBroken() {
		assertThat(JdbcFailures.isBroken(new SQLRecoverableException("failed"))).isTrue();
		assertThat(JdbcFailures.isBroken(new SQLTransientConnectionException("failed", "08006"))).isFalse();
		assertThat(JdbcFailures.isBroken(new IllegalStateException("failed"))).isFalse();
	}

	@Test
	void rowThatIsLockedInMySqlIsNoConflictInSpiteOfItsState() {
		assertThat(JdbcFailures.isLocked(failure("40001", 1205))).isTrue();
		assertThat(JdbcFailures.isConflict(failure("40001", 1205))).isFalse();
		assertThat(JdbcFailures.isConflict(failure("40001", 1213))).as("a deadlock").isTrue();
	}

	@Test
	void callThatTimedOutIsAnOutageUnlessOthersWereAnsweredInTime() {
		JdbcFailures since = new JdbcFailures(Duration.ofSeconds(1));
		await().until(() -> since.timedOut(false).isOutage());
		StoreCall<Boolean> call = new StoreCall<>(List.of(), (rows) -> true, (late) -> {
		});
		StoreCall<Boolean> given = new StoreCall<>(List.of(), (rows) -> true, (late) -> {
		});
		given.cancel(false);
		since.noteAnswer(List.of(given));
		assertThat(since.timedOut(false).isOutage()).as("all have given up").isTrue();
		await().until(() -> {
			since.noteAnswer(List.of(given, call));
			return !since.timedOut(false).isOutage() && !since.timedOut(true).isOutage();
		});
	}

	@Test
	void callThatTimedOutWaitedForThePoolOrForTheDatabase() {
		assertThat(this.failures.timedOut(true).reason()).isEqualTo("pool");
		assertThat(this.failures.timedOut(false)).hasMessage("The database did not answer within 100 ms")
			.extracting(StoreException::reason)
			.isEqualTo("timeout");
	}

}
