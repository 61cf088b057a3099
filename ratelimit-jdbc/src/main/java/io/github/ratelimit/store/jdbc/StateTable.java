package io.github.ratelimit.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.BannedKey;

/**
 * Transactions on the table of states. One locks the rows of its calls, in the order of
 * their keys, and writes those that the calls have changed.
 */
final class StateTable {

	/**
	 * Number of attempts of a transaction that others keep from adding rows.
	 */
	private static final int ATTEMPTS = 5;

	/**
	 * Number of attempts of a transaction that is rolled back because of others.
	 */
	private static final int ATTEMPTS_AFTER_CONFLICT = 2;

	private final RowNames names;

	private final long instance;

	private final int mostMillis;

	private final SchemaInitialization initialization;

	private final @Nullable LongSupplier clock;

	private volatile @Nullable Dialect dialect;

	/**
	 * Whether transactions of the application were seen to be isolated from others more
	 * than these must be: they have to read rows that others have changed.
	 */
	private volatile boolean isolated;

	/**
	 * Create a new instance.
	 * @param instance the number of this instance among all
	 * @param mostMillis how long to wait for the database at most before the connection
	 * is given up
	 * @param initialization whether to create the table
	 * @param clock the clock of tests in microseconds, {@code null} for that of the
	 * database
	 */
	StateTable(RowNames names, long instance, int mostMillis, SchemaInitialization initialization,
			@Nullable LongSupplier clock) {
		this.names = names;
		this.instance = instance;
		this.mostMillis = mostMillis;
		this.initialization = initialization;
		this.clock = clock;
	}

	/**
	 * Return the dialect of the database. The first call creates the table.
	 */
	private Dialect dialect(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		return (known != null) ? known : prepare(connection);
	}

	private synchronized Dialect prepare(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		if (known == null) {
			known = Dialect.of(connection);
			this.initialization.create(connection, known);
			this.dialect = known;
		}
		return known;
	}

	/**
	 * Decide calls in a transaction of their own. One that was rolled back because of
	 * other transactions is repeated.
	 */
	void decide(Connection connection, List<StoreCall<?>> calls) throws SQLException {
		bound(connection);
		List<RowKey> keys = new ArrayList<>(
				new TreeSet<>(calls.stream().flatMap((call) -> call.keys().stream()).toList()));
		Dialect statements = dialect(connection);
		for (int attempt = 1;; attempt++) {
			try {
				if (attempt(connection, statements, keys, calls)) {
					return;
				}
				if (attempt == ATTEMPTS) {
					throw new SQLException("Rows were deleted as soon as they were added", "40001");
				}
			}
			catch (SQLException | RuntimeException ex) {
				rollback(connection, statements, ex);
				if (!JdbcFailures.isDuplicate(ex) || attempt == ATTEMPTS) {
					if (!JdbcFailures.isConflict(ex) || attempt >= ATTEMPTS_AFTER_CONFLICT) {
						throw ex;
					}
					this.isolated = true;
				}
			}
		}
	}

	/**
	 * Bound all waits of a connection for the database.
	 */
	void bound(Connection connection) throws SQLException {
		try {
			connection.setNetworkTimeout(Runnable::run, this.mostMillis);
		}
		catch (SQLFeatureNotSupportedException ex) {
			// callers stop waiting nevertheless
		}
	}

	private static void rollback(Connection connection, Dialect statements, Exception failure) {
		try {
			statements.rollback(connection);
		}
		catch (SQLException ex) {
			failure.addSuppressed(ex);
		}
	}

	private boolean attempt(Connection connection, Dialect statements, List<RowKey> keys, List<StoreCall<?>> calls)
			throws SQLException {
		statements.begin(connection);
		LockedRows rows = lock(connection, statements, keys);
		for (StoreCall<?> call : calls) {
			call.decide(rows);
		}
		List<WrittenRow> added = rows.changed(false);
		List<WrittenRow> changed = rows.changed(true);
		if (!added.isEmpty() && statements.insertsMissingFirst()) {
			statements.rollback(connection);
			statements.begin(connection);
			insert(connection, statements, added.stream().map(WrittenRow::unused).toList(), true);
			return false;
		}
		if (added.isEmpty() && changed.isEmpty()) {
			statements.commit(connection);
			return true;
		}
		insert(connection, statements, added, changed.isEmpty());
		update(connection, statements, changed);
		return true;
	}

	private LockedRows lock(Connection connection, Dialect statements, List<RowKey> keys) throws SQLException {
		Map<RowKey, byte[]> read = new HashMap<>();
		long now = 0;
		for (int from = 0; from < keys.size(); from += statements.mostRows()) {
			List<RowKey> part = keys.subList(from, Math.min(keys.size(), from + statements.mostRows()));
			int size = Dialect.size(part.size());
			String begin = (this.isolated ? statements.readCommitted() : "")
					+ statements.bounds(this.mostMillis / JdbcRateLimitStore.PATIENCE);
			try (PreparedStatement statement = connection.prepareStatement(begin + statements.lock(size))) {
				for (int i = 0; i < size; i++) {
					RowKey key = part.get(Math.min(i, part.size() - 1));
					statement.setBytes(2 * i + 1, key.ruleBytes());
					statement.setBytes(2 * i + 2, key.keyBytes());
				}
				for (boolean isResult = statement.execute(); !isResult;) {
					isResult = statement.getMoreResults();
				}
				try (ResultSet rows = statement.getResultSet()) {
					while (rows.next()) {
						if (rows.getBoolean(4)) {
							read.put(RowKey.read(rows.getBytes(1), rows.getBytes(2)), rows.getBytes(3));
						}
						now = Math.max(now, rows.getLong(5));
					}
				}
			}
		}
		return new LockedRows(read, this.names, this.instance,
				(this.clock != null) ? this.clock.getAsLong() : (now != 0) ? now : statements.now(connection));
	}

	private void insert(Connection connection, Dialect statements, List<WrittenRow> rows, boolean isLast)
			throws SQLException {
		for (int from = 0; from < rows.size(); from += statements.mostRows()) {
			int to = Math.min(rows.size(), from + statements.mostRows());
			write(connection, statements, statements.insert(to - from), rows.subList(from, to), to - from,
					isLast && to == rows.size());
		}
	}

	private void update(Connection connection, Dialect statements, List<WrittenRow> rows) throws SQLException {
		for (int from = 0; from < rows.size(); from += statements.mostRows()) {
			int to = Math.min(rows.size(), from + statements.mostRows());
			int size = Dialect.size(to - from);
			write(connection, statements, statements.update(size), rows.subList(from, to), size, to == rows.size());
		}
	}

	/**
	 * Write some rows, and commit if they are the last ones.
	 * @param size the number of rows of the statement; the last one is repeated
	 */
	private static void write(Connection connection, Dialect statements, String sql, List<WrittenRow> rows, int size,
			boolean isLast) throws SQLException {
		boolean commits = isLast && statements.commitsWithStatement();
		try (PreparedStatement statement = connection.prepareStatement(commits ? sql + "; commit" : sql)) {
			int next = 1;
			for (int i = 0; i < size; i++) {
				WrittenRow row = rows.get(Math.min(i, rows.size() - 1));
				next = row.setKey(statement, row.setValues(statement, next));
			}
			statement.execute();
		}
		if (isLast && !commits) {
			statements.commit(connection);
		}
	}

	/**
	 * List the banned keys of a rule, those whose bans end first at the beginning. Of too
	 * many, the ones that end last are listed.
	 */
	List<BannedKey> bans(Connection connection, String rule) throws SQLException {
		long now = (this.clock != null) ? this.clock.getAsLong() : dialect(connection).now(connection);
		List<BannedKey> bans = new ArrayList<>();
		try (PreparedStatement statement = connection
			.prepareStatement("select rule_key, banned_until from ratelimit_state where rule_name = ?"
					+ " and banned_until > ? order by banned_until desc limit " + BannedKey.MOST)) {
			statement.setBytes(1, rule.getBytes(StandardCharsets.UTF_8));
			statement.setLong(2, now);
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					bans.add(0, new BannedKey(new String(rows.getBytes(1), StandardCharsets.UTF_8),
							Duration.of(rows.getLong(2) - now, ChronoUnit.MICROS)));
				}
			}
		}
		return bans;
	}

	/**
	 * Delete some rows that have expired.
	 * @param time the time of the database in microseconds
	 * @param most the largest number of rows
	 * @return whether there may be more
	 */
	boolean deleteExpired(Connection connection, long time, int most) throws SQLException {
		List<RowKey> found = new ArrayList<>();
		long expiresAt = time / 1_000_000;
		try (PreparedStatement statement = connection
			.prepareStatement("select rule_name, rule_key from ratelimit_state where expires_at <= ? limit " + most)) {
			statement.setLong(1, expiresAt);
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					found.add(RowKey.read(rows.getBytes(1), rows.getBytes(2)));
				}
			}
		}
		Collections.sort(found);
		try (PreparedStatement statement = connection
			.prepareStatement("delete from ratelimit_state where rule_name = ? and rule_key = ? and expires_at <= ?")) {
			for (RowKey key : found) {
				statement.setBytes(1, key.ruleBytes());
				statement.setBytes(2, key.keyBytes());
				statement.setLong(3, expiresAt);
				statement.addBatch();
			}
			if (!found.isEmpty()) {
				statement.executeBatch();
			}
		}
		if (!connection.getAutoCommit()) {
			connection.commit();
		}
		return found.size() == most;
	}

}
