package io.github.ratelimit.store.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.StoreException;

/**
 * Translation of failures of databases and pools to failures of the store.
 */
final class JdbcFailures {

	/**
	 * Failure of a call beyond the bound on pending calls. It is no outage, since the
	 * database may be healthy.
	 */
	static final StoreException OVERLOAD = new StoreException("Too many calls already wait for the database", null,
			"overload", false, null);

	static final StoreException STOPPED = new StoreException(
			"The application is stopped, and with it the connections to the database", null, "stopped", false, null);

	private static final String NO_TABLE = "Create the table ratelimit_state: run the script schema-*.sql of "
			+ "io/github/ratelimit/store/jdbc for your database, or set ratelimit.jdbc.initialize-schema=always.";

	/**
	 * SQL states of transactions that were rolled back because of others.
	 */
	private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

	/**
	 * SQL states of a statement that waited too long for a row of others: PostgreSQL,
	 * MariaDB, H2; and code of MySQL for that.
	 */
	private static final Set<String> LOCKED = Set.of("55P03", "70100", "HYT00");

	private static final int LOCKED_CODE = 1205;

	/**
	 * SQL states of a table that does not exist: PostgreSQL, MySQL, H2.
	 */
	private static final Set<String> MISSING_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

	/**
	 * SQL states of a database that only reads, and codes of MySQL for that.
	 */
	private static final String READ_ONLY = "25006";

	private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1792, 1836);

	/**
	 * SQL states of PostgreSQL when it closes a connection: it stops, or the transaction
	 * stood still.
	 */
	private static final Set<String> CLOSED = Set.of("57P01", "57P02", "25P03");

	/**
	 * SQL states of a connection that was never made.
	 */
	private static final Set<String> NOT_CONNECTED = Set.of("08001", "08004");

	/**
	 * SQL state of a connection that broke during a commit.
	 */
	private static final String UNKNOWN_COMMIT = "08007";

	private final StoreException timedOut;

	private final StoreException noConnection;

	private volatile boolean stopped;

	JdbcFailures(Duration timeout) {
		this.timedOut = new StoreException("The database did not answer within " + timeout.toMillis() + " ms", null,
				"timeout", true, null);
		this.noConnection = new StoreException(
				"The pool had no connection within " + timeout.toMillis()
						+ " ms: the database cannot be reached, or others hold all connections",
				null, "pool", true, null);
	}

	/**
	 * Note that the application is stopped: what breaks while it stops is no failure of
	 * the database.
	 */
	void stopped() {
		this.stopped = true;
	}

	/**
	 * Return the failure of a call that timed out.
	 * @param isConnecting whether calls wait for a connection
	 */
	StoreException timedOut(boolean isConnecting) {
		return isConnecting ? this.noConnection : this.timedOut;
	}

	StoreException of(Throwable failure) {
		boolean isWrapped = failure instanceof ExecutionException && failure.getCause() != null;
		Throwable cause = isWrapped ? failure.getCause() : StageFailure.cause(failure);
		if (this.stopped) {
			return STOPPED;
		}
		if (cause instanceof StoreException known) {
			return known;
		}
		if (cause instanceof InterruptedException) {
			return new StoreException("The caller was interrupted while waiting for the database", cause, "interrupted",
					false, null);
		}
		return (cause instanceof SQLException ex) ? of(ex)
				: new StoreException("The database failed: " + cause, cause, "unknown", true, null);
	}

	private static StoreException of(SQLException failure) {
		String state = state(failure);
		if (failure instanceof SQLFeatureNotSupportedException) {
			return failure(failure, "unsupported", true, "Use one of these databases, or another store.");
		}
		if (failure instanceof SQLTransientConnectionException && failure.getCause() == null) {
			return failure(failure, "pool", true, null);
		}
		if (isDuplicate(failure) || isConflict(failure)) {
			return failure(failure, "conflict", false, null);
		}
		if (LOCKED.contains(state) || failure.getErrorCode() == LOCKED_CODE || failure instanceof SQLTimeoutException) {
			return failure(failure, "timeout", false, null);
		}
		if (MISSING_TABLE.contains(state)) {
			return failure(failure, "schema", true, NO_TABLE);
		}
		if (READ_ONLY.equals(state) || READ_ONLY_CODES.contains(failure.getErrorCode())) {
			return failure(failure, "readonly", true, null);
		}
		if (state.startsWith("42")) {
			return failure(failure, "permission", true,
					"Let the user of the DataSource select, insert, update and delete rows of ratelimit_state.");
		}
		if (causedBy(failure, SocketTimeoutException.class)) {
			return failure(failure, "timeout", true, null);
		}
		return failure(failure, isOfConnection(failure) ? "connection" : "database", !UNKNOWN_COMMIT.equals(state),
				null);
	}

	private static StoreException failure(SQLException failure, String reason, boolean outage,
			@Nullable String remedy) {
		return new StoreException("The database failed: " + withoutValues(failure.getMessage()), failure, reason,
				outage, remedy);
	}

	/**
	 * Remove details behind the first line and values in parentheses, which may contain
	 * keys.
	 */
	private static String withoutValues(@Nullable String message) {
		return (message != null) ? message.lines().findFirst().orElse("").replaceAll("'[^']*'|\\([^)]*\\)", "…") : "";
	}

	/**
	 * Return whether a row was added by another transaction meanwhile.
	 */
	static boolean isDuplicate(Throwable failure) {
		return failure instanceof SQLException ex && state(ex).startsWith("23");
	}

	/**
	 * Return whether a transaction was rolled back because of others, and can be
	 * repeated.
	 */
	static boolean isConflict(Throwable failure) {
		return failure instanceof SQLException ex && CONFLICTS.contains(state(ex));
	}

	/**
	 * Return whether a connection broke before it had committed anything, so that the
	 * transaction can be repeated on another one.
	 */
	static boolean isBroken(Throwable failure) {
		return failure instanceof SQLException ex && isOfConnection(ex)
				&& !(ex instanceof SQLTransientConnectionException) && !NOT_CONNECTED.contains(state(ex))
				&& !UNKNOWN_COMMIT.equals(state(ex));
	}

	private static boolean isOfConnection(SQLException failure) {
		String state = state(failure);
		return state.startsWith("08") || CLOSED.contains(state) || failure instanceof SQLRecoverableException;
	}

	/**
	 * Return the failure of a commit. If the connection broke, nobody knows whether it
	 * has taken place: no call of it is repeated, and other connections may be healthy.
	 */
	static SQLException ofCommit(SQLException failure) {
		return isBroken(failure) ? new SQLException(failure.getMessage(), UNKNOWN_COMMIT, failure) : failure;
	}

	private static String state(SQLException failure) {
		return (failure.getSQLState() != null) ? failure.getSQLState() : "";
	}

	private static boolean causedBy(Throwable failure, Class<? extends Throwable> type) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

}
