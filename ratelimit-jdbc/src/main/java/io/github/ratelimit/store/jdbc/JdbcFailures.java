package io.github.ratelimit.store.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.RemoteAnswers;
import io.github.ratelimit.store.StoreException;

/** Translation of failures of databases and pools to failures of the store. */
final class JdbcFailures extends RemoteAnswers {

	/** Failure of a call beyond the bound on those that wait. */
	static final StoreException OVERLOAD = new StoreException("Too many calls already wait for the database", null,
			"overload", false, null);

	static final StoreException STOPPED = new StoreException(
			"The application is stopped, and with it the connections to the database", null, "stopped", false, null);

	/** SQL states of PostgreSQL that stops, or closes a connection that stood still. */
	private static final Set<String> CLOSED = Set.of("57P01", "57P02", "57P05", "25P03");

	/** Codes by which MariaDB and MySQL say that they have closed the connection. */
	private static final Set<Integer> KILLED = Set.of(1927, 4031);

	/** Codes by which MySQL says that it only reads. */
	private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

	/** SQL state of a connection that broke during a commit. */
	private static final String UNKNOWN_COMMIT = "08007";

	private final Duration timeout;

	private volatile long lastAnswer = System.nanoTime();

	JdbcFailures(Duration timeout) {
		super("the database", STOPPED);
		this.timeout = timeout;
	}

	/** Return how long callers wait for an answer, in nanoseconds. */
	long timeout() {
		return this.timeout.toNanos();
	}

	/** Note that the database answers, unless all who wait for it have given up. */
	void noteAnswer(List<StoreCall<?>> calls) {
		if (!calls.stream().allMatch(StoreCall::isDone)) {
			this.lastAnswer = System.nanoTime();
		}
	}

	/** Return the failure of a call that timed out: an outage unless others did not. */
	StoreException timedOut(boolean isConnecting) {
		String message = isConnecting
				? "The pool had no connection within %s ms: the database cannot be reached, or others hold all connections"
				: "The database did not answer within %s ms";
		boolean isOutage = System.nanoTime() - this.lastAnswer >= this.timeout.toNanos();
		return new StoreException(message.formatted(this.timeout.toMillis()), null, isConnecting ? "pool" : "timeout",
				isOutage, null);
	}

	@Override
	protected StoreException translate(Throwable cause) {
		if (!(cause instanceof SQLException failure)) {
			return new StoreException("The database failed: " + cause, cause, "unknown", true, null);
		}
		String reason = reason(failure);
		boolean isOutage = !reason.equals("conflict") && !isLocked(failure) && !UNKNOWN_COMMIT.equals(state(failure));
		String first = Objects.toString(failure.getMessage(), "").split("\\R", 2)[0];
		String message = first.replaceAll("'[^']*'|\\([^)]*\\)", "…"); // may have keys
		return new StoreException("The database failed: " + message, failure, reason, isOutage, remedy(reason));
	}

	private static String reason(SQLException failure) {
		if (failure instanceof SQLFeatureNotSupportedException) {
			return "unsupported";
		}
		if (failure instanceof SQLTransientConnectionException && state(failure).isEmpty()) {
			return "pool";
		}
		if (isDuplicate(failure) || isConflict(failure)) {
			return "conflict";
		}
		boolean isSilent = causes(failure).anyMatch(SocketTimeoutException.class::isInstance);
		String rest = isOfConnection(failure) ? "connection" : "database";
		return switch (state(failure)) {
			case "42P01", "42S02", "42S03", "42S04" -> "schema"; // PostgreSQL, MySQL, H2
			case "25006" -> "readonly";
			default -> isLocked(failure) ? "timeout" : READ_ONLY.contains(failure.getErrorCode()) ? "readonly"
					: state(failure).startsWith("42") ? "permission" : isSilent ? "timeout" : rest;
		};
	}

	private static @Nullable String remedy(String reason) {
		return switch (reason) {
			case "unsupported" -> "Use one of these databases, or another store.";
			case "schema" -> "Create the table ratelimit_state: run the script schema-*.sql of "
					+ "io/github/ratelimit/store/jdbc for your database, or set ratelimit.jdbc.initialize-schema=always.";
			case "permission" -> "Let the user of the DataSource select, insert, update and delete rows of "
					+ "ratelimit_state, and create this table unless a migration does.";
			default -> null;
		};
	}

	/**
	 * Return whether a statement waited too long for a row of others, by the states of
	 * PostgreSQL, MariaDB and H2 and the code of MySQL.
	 */
	static boolean isLocked(@Nullable Throwable failure) {
		return failure instanceof SQLException ex && !isDuplicate(ex) && !isConflict(ex) && !isOfConnection(ex)
				&& (ex instanceof SQLTimeoutException || ex.getErrorCode() == 1205
						|| Set.of("55P03", "70100", "HYT00").contains(state(ex)));
	}

	/**
	 * Return why a pool has no connection. Nothing was executed, so no connection broke
	 * and no row is locked. A failure without a state, or a timeout, is one of the pool.
	 */
	static SQLException ofPool(SQLException failure) {
		Stream<String> states = causes(failure).filter(SQLException.class::isInstance)
			.map((cause) -> state((SQLException) cause));
		String state = isLocked(failure) ? "" : states.filter((each) -> !each.isEmpty()).findFirst().orElse("");
		return new SQLTransientConnectionException(failure.getMessage(), state, failure);
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
	}

	/** Return whether a row was added by another transaction meanwhile. */
	static boolean isDuplicate(Throwable failure) {
		return failure instanceof SQLException ex && state(ex).startsWith("23");
	}

	/** Return whether others rolled a transaction back, so that it can be repeated. */
	static boolean isConflict(@Nullable Throwable failure) {
		return failure instanceof SQLException ex && Set.of("40001", "40P01").contains(state(ex))
				&& ex.getErrorCode() != 1205; // a locked row, says MySQL with state 40001
	}

	/**
	 * Return whether a connection broke before it had committed anything, so that the
	 * transaction can be repeated on another one.
	 */
	static boolean isBroken(Throwable failure) {
		return failure instanceof SQLException ex && isOfConnection(ex)
				&& !(ex instanceof SQLTransientConnectionException) && !UNKNOWN_COMMIT.equals(state(ex));
	}

	private static boolean isOfConnection(SQLException failure) {
		String state = state(failure);
		return state.startsWith("08") || CLOSED.contains(state) || KILLED.contains(failure.getErrorCode())
				|| failure instanceof SQLRecoverableException;
	}

	/**
	 * Return the failure of a commit. If it was interrupted or disconnected, it may have
	 * taken place: no call of it is repeated, and other connections may be healthy.
	 */
	static SQLException ofCommit(SQLException failure) {
		boolean isUnknown = isBroken(failure) || state(failure).equals("70100");
		return isUnknown ? new SQLException(failure.getMessage(), UNKNOWN_COMMIT, failure) : failure;
	}

	private static String state(SQLException failure) {
		return Objects.toString(failure.getSQLState(), "");
	}

}
