package io.github.ratelimit.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Transactions on the table of states. One locks the rows of its calls, in the order of
 * their keys, and writes those that the calls have changed.
 */
class StateTable {

	/** Number of attempts of a transaction that others keep from adding rows. */
	private static final int ATTEMPTS = 5;

	/** Number of attempts of a transaction that is rolled back because of others. */
	private static final int ATTEMPTS_AFTER_CONFLICT = 2;

	/**
	 * How many times longer than a caller a connection waits for the database, so that a
	 * busy one is not disconnected by each slow answer.
	 */
	private static final int PATIENCE = 4;

	private final RowNames names;

	private final long instance;

	private final long timeout;

	private final SchemaInitialization initialization;

	private final @Nullable LongSupplier clock;

	private @Nullable Dialect dialect;

	/** Whether transactions were seen to read no rows that others have changed. */
	private volatile boolean isolated;

	/** Create an instance that may read a clock of tests, in microseconds. */
	StateTable(RowNames names, long instance, Duration timeout, SchemaInitialization initialization,
			@Nullable LongSupplier clock) {
		this.names = names;
		this.instance = instance;
		this.timeout = timeout.toMillis();
		this.initialization = initialization;
		this.clock = clock;
	}

	/** Return the number of this instance among all, as a text. */
	String instance() {
		return Long.toString(this.instance, Character.MAX_RADIX);
	}

	/** Return the dialect of the database. The first call creates the table. */
	private synchronized Dialect dialect(Connection connection) throws SQLException {
		if (this.dialect == null) {
			Dialect found = Dialect.of(connection);
			this.initialization.create(connection, found);
			this.dialect = found;
		}
		return this.dialect;
	}

	/** Return whether the table was used, so that it is there. */
	synchronized boolean isUsed() {
		return this.dialect != null;
	}

	/** Decide calls in a transaction, which is repeated if others rolled it back. */
	void decide(Connection connection, List<StoreCall<?>> calls) throws SQLException {
		List<RowKey> keys = calls.stream().flatMap((call) -> call.keys().stream()).distinct().sorted().toList();
		Dialect statements = dialect(connection);
		int conflicts = 0;
		for (int attempt = 1;; attempt++) {
			try {
				if (attempt(connection, statements, keys, calls)) {
					return;
				}
				if (attempt >= ATTEMPTS) {
					throw new SQLException("Rows were deleted as soon as they were added", "40001");
				}
			}
			catch (Throwable ex) {
				try {
					statements.end(connection, false);
				}
				catch (SQLException suppressed) {
					ex.addSuppressed(suppressed);
				}
				boolean isConflict = JdbcFailures.isConflict(ex);
				boolean isRepeated = attempt < ATTEMPTS
						&& (isConflict ? ++conflicts < ATTEMPTS_AFTER_CONFLICT : JdbcFailures.isDuplicate(ex));
				if (!isRepeated) {
					throw ex;
				}
				this.isolated |= isConflict;
			}
		}
	}

	/** Work by a connection with bounded waits, then restore it, as few pools do. */
	<T> T work(Connection connection, SqlFunction<Connection, T> work) throws SQLException {
		boolean commits = connection.getAutoCommit();
		int bound = bound(connection, (int) Math.max(2_000, PATIENCE * this.timeout));
		try {
			if (!commits) {
				connection.rollback(); // what others have begun and not ended
			}
			return work.apply(connection);
		}
		finally {
			restore(connection, commits, bound);
		}
	}

	private static void restore(Connection connection, boolean commits, int bound) {
		try {
			if (!connection.getAutoCommit()) {
				connection.rollback(); // what is not committed
				if (commits) { // else MySQL would be told once more
					connection.setAutoCommit(true);
				}
			}
			bound(connection, bound);
		}
		catch (SQLException ex) {
			// it is broken, as its pool finds out
		}
	}

	/** Bound all waits of a connection, and return their bound so far. */
	private static int bound(Connection connection, int millis) throws SQLException {
		try {
			int before = connection.getNetworkTimeout();
			if (before != millis) {
				connection.setNetworkTimeout(Runnable::run, millis);
			}
			return before;
		}
		catch (SQLFeatureNotSupportedException ex) {
			return millis; // callers stop waiting nevertheless
		}
	}

	/** Decide calls once, and return {@code false} if rows had to be added first. */
	private boolean attempt(Connection connection, Dialect statements, List<RowKey> keys, List<StoreCall<?>> calls)
			throws SQLException {
		statements.begin(connection);
		LockedRows rows = lock(connection, statements, keys);
		calls.forEach((call) -> call.decide(rows));
		List<WrittenRow> added = rows.changed(false);
		List<WrittenRow> changed = rows.changed(true);
		if (added.isEmpty() && changed.isEmpty()) {
			statements.end(connection, false); // PostgreSQL flushes a commit of row locks
			return true;
		}
		boolean addsFirst = !added.isEmpty() && statements.insertsMissingFirst();
		if (addsFirst) {
			statements.end(connection, false);
			statements.begin(connection);
			added = added.stream().map((row) -> new WrittenRow(row.key(), new byte[0], 0, row.expiresAt())).toList();
			changed = List.of();
		}
		write(connection, statements, added, true, changed.isEmpty());
		write(connection, statements, changed, false, true);
		if (!statements.commitsWithStatement()) {
			try {
				statements.end(connection, true);
			}
			catch (SQLException ex) {
				throw addsFirst ? ex : JdbcFailures.ofCommit(ex); // they are empty
			}
		}
		return !addsFirst;
	}

	private LockedRows lock(Connection connection, Dialect statements, List<RowKey> keys) throws SQLException {
		Map<RowKey, byte[]> read = new HashMap<>();
		long now = 0;
		for (List<RowKey> part : parts(keys, statements)) {
			int size = Dialect.size(part.size());
			try (PreparedStatement statement = prepare(connection, statements, statements.lock(size), true)) {
				set(statement, parameters(part, size, RowKey::parameters));
				for (boolean isResult = statement.execute(); !isResult;) {
					isResult = statement.getMoreResults();
				}
				try (ResultSet rows = statement.getResultSet()) {
					while (rows.next()) {
						if (rows.getBoolean(4)) {
							read.put(RowKey.read(rows), rows.getBytes(3));
						}
						now = Math.max(now, rows.getLong(5));
					}
				}
			}
		}
		boolean isRead = this.clock == null && now != 0;
		return new LockedRows(read, this.names, this.instance, isRead ? now : now(connection));
	}

	/**
	 * Prepare a statement. The first one of a transaction waits for less time than
	 * callers do, so that a locked row is known from a database that does not answer.
	 * MySQL alone lets others wait.
	 */
	private PreparedStatement prepare(Connection connection, Dialect statements, String sql, boolean waits)
			throws SQLException {
		return waits ? statements.first(connection, sql, this.isolated, (int) Math.max(1, this.timeout * 4 / 5))
				: connection.prepareStatement(sql);
	}

	private static <T> List<List<T>> parts(List<T> all, Dialect statements) {
		int most = statements.mostRows();
		return IntStream.iterate(0, (from) -> from < all.size(), (from) -> from + most)
			.mapToObj((from) -> all.subList(from, Math.min(all.size(), from + most)))
			.toList();
	}

	/** Return parameters of rows, those of the last one repeatedly if there are fewer. */
	private static <T> Stream<Object> parameters(List<T> rows, int size, Function<T, Stream<Object>> ofRow) {
		return IntStream.range(0, size).mapToObj((i) -> rows.get(Math.min(i, rows.size() - 1))).flatMap(ofRow);
	}

	private static void set(PreparedStatement statement, Stream<Object> parameters) throws SQLException {
		int next = 1;
		for (Object each : parameters.toList()) {
			statement.setObject(next++, each);
		}
	}

	/** Add or change rows. The last statement may contain the commit, if it can. */
	private void write(Connection connection, Dialect statements, List<WrittenRow> rows, boolean adds, boolean commits)
			throws SQLException {
		List<List<WrittenRow>> parts = parts(rows, statements);
		for (List<WrittenRow> part : parts) {
			int size = adds ? part.size() : Dialect.size(part.size());
			boolean isLast = commits && statements.commitsWithStatement() && part == parts.get(parts.size() - 1);
			String sql = (adds ? statements.insert(size) : statements.update(size)) + (isLast ? "; commit" : "");
			boolean waits = adds && statements.insertsMissingFirst();
			try (PreparedStatement statement = prepare(connection, statements, sql, waits)) {
				set(statement, parameters(part, size, WrittenRow::parameters));
				statement.execute();
			}
			catch (SQLException ex) {
				throw isLast ? JdbcFailures.ofCommit(ex) : ex;
			}
		}
	}

	/** Return the time of the clock in microseconds. */
	long now(Connection connection) throws SQLException {
		if (this.clock != null) {
			return this.clock.getAsLong();
		}
		Dialect statements = dialect(connection);
		return (statements == Dialect.H2) ? ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
				: query(connection, "select " + statements.clock(), (row) -> row.getLong(1)).get(0);
	}

	/** Return the contents of some rows of a name that have not expired, except one. */
	List<byte[]> others(Connection connection, RowKey except, long time, int most) throws SQLException {
		return query(connection,
				"select state from ratelimit_state where rule_name = ? and rule_key <> ? and expires_at > ? limit "
						+ most,
				(row) -> row.getBytes(1), Stream.concat(except.parameters(), Stream.of(time / 1_000_000)).toArray());
	}

	/** Delete expired rows, except some to leave alone, and return if there are more. */
	boolean deleteExpired(Connection connection, long time, int most, Set<RowKey> leftAlone) throws SQLException {
		Dialect statements = dialect(connection);
		long expiresAt = time / 1_000_000;
		int limit = most + leftAlone.size();
		List<RowKey> found = query(connection,
				"select rule_name, rule_key from ratelimit_state where expires_at <= ? limit " + limit, RowKey::read,
				expiresAt);
		boolean more = found.size() == limit;
		found.removeAll(leftAlone);
		Collections.sort(found);
		for (List<RowKey> part : parts(found, statements)) {
			int size = Dialect.size(part.size());
			try (PreparedStatement statement = prepare(connection, statements, statements.delete(size),
					statements.insertsMissingFirst())) {
				set(statement, Stream.concat(parameters(part, size, RowKey::parameters), Stream.of(expiresAt)));
				statement.executeUpdate();
			}
			catch (SQLException ex) {
				if (!JdbcFailures.isLocked(ex)) {
					throw ex;
				}
				leftAlone.addAll(part); // others behind them are not locked
			}
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
		return more;
	}

	static <T> List<T> query(Connection connection, String sql, SqlFunction<ResultSet, T> reader, Object... parameters)
			throws SQLException {
		List<T> read = new ArrayList<>();
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			set(statement, Stream.of(parameters));
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					read.add(reader.apply(rows));
				}
			}
		}
		return read;
	}

	interface SqlFunction<F, T> {

		T apply(F from) throws SQLException;

	}

}
