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
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.BannedKey;

/**
 * Transactions on the table of states. One locks the rows of its calls, in the order of
 * their keys, and writes those that the calls have changed.
 */
class StateTable {

	/**
	 * Number of attempts of a transaction that others keep from adding rows.
	 */
	private static final int ATTEMPTS = 5;

	/**
	 * Number of attempts of a transaction that is rolled back because of others.
	 */
	private static final int ATTEMPTS_AFTER_CONFLICT = 2;

	/**
	 * How many times longer than a caller a connection waits for the database, so that a
	 * busy one is not disconnected by each slow answer.
	 */
	private static final int PATIENCE = 4;

	private static final long SHORTEST_PATIENCE = 2_000;

	private final RowNames names;

	private final long instance;

	private final long timeout;

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
	 * @param timeout how long callers wait for an answer
	 * @param initialization whether to create the table
	 * @param clock the clock of tests in microseconds, {@code null} for that of the
	 * database
	 */
	StateTable(RowNames names, long instance, Duration timeout, SchemaInitialization initialization,
			@Nullable LongSupplier clock) {
		this.names = names;
		this.instance = instance;
		this.timeout = timeout.toMillis();
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
			connection.setNetworkTimeout(Runnable::run, (int) Math.max(SHORTEST_PATIENCE, PATIENCE * this.timeout));
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

	/**
	 * Decide calls once.
	 * @return {@code false} if rows had to be added first
	 */
	private boolean attempt(Connection connection, Dialect statements, List<RowKey> keys, List<StoreCall<?>> calls)
			throws SQLException {
		statements.begin(connection);
		LockedRows rows = lock(connection, statements, keys);
		for (StoreCall<?> call : calls) {
			call.decide(rows);
		}
		List<WrittenRow> added = rows.changed(false);
		List<WrittenRow> changed = rows.changed(true);
		if (added.isEmpty() && changed.isEmpty()) {
			// unlike a commit of row locks, PostgreSQL does not flush it
			statements.rollback(connection);
			return true;
		}
		boolean addsFirst = !added.isEmpty() && statements.insertsMissingFirst();
		if (addsFirst) {
			statements.rollback(connection);
			statements.begin(connection);
			added = added.stream().map(WrittenRow::unused).toList();
			changed = List.of();
		}
		try {
			write(connection, statements, added, changed);
		}
		catch (SQLException ex) {
			throw JdbcFailures.ofCommit(ex);
		}
		return !addsFirst;
	}

	private LockedRows lock(Connection connection, Dialect statements, List<RowKey> keys) throws SQLException {
		Map<RowKey, byte[]> read = new HashMap<>();
		long now = 0;
		for (List<RowKey> part : parts(keys, statements)) {
			int size = Dialect.size(part.size());
			try (PreparedStatement statement = first(connection, statements, statements.lock(size))) {
				int next = 1;
				for (int i = 0; i < size; i++) {
					next = part.get(Math.min(i, part.size() - 1)).set(statement, next);
				}
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
		return new LockedRows(read, this.names, this.instance,
				(this.clock != null) ? this.clock.getAsLong() : (now != 0) ? now : statements.now(connection));
	}

	/**
	 * Prepare the first statement of a transaction. It waits for less time than callers
	 * do, so that a locked row is known from a database that does not answer.
	 */
	private PreparedStatement first(Connection connection, Dialect statements, String sql) throws SQLException {
		return statements.first(connection, sql, this.isolated, (int) Math.max(1, this.timeout * 4 / 5));
	}

	private static <T> List<List<T>> parts(List<T> all, Dialect statements) {
		int most = statements.mostRows();
		return IntStream.iterate(0, (from) -> from < all.size(), (from) -> from + most)
			.mapToObj((from) -> all.subList(from, Math.min(all.size(), from + most)))
			.toList();
	}

	/**
	 * Write rows and commit, in the last statement if the database can.
	 */
	private void write(Connection connection, Dialect statements, List<WrittenRow> added, List<WrittenRow> changed)
			throws SQLException {
		boolean isCommitted = false;
		List<List<WrittenRow>> inserts = parts(added, statements);
		List<List<WrittenRow>> updates = parts(changed, statements);
		for (int i = 0; i < inserts.size() + updates.size(); i++) {
			boolean adds = i < inserts.size();
			List<WrittenRow> rows = adds ? inserts.get(i) : updates.get(i - inserts.size());
			int size = adds ? rows.size() : Dialect.size(rows.size());
			isCommitted = statements.commitsWithStatement() && i == inserts.size() + updates.size() - 1;
			String sql = (adds ? statements.insert(size) : statements.update(size)) + (isCommitted ? "; commit" : "");
			try (PreparedStatement statement = (adds && statements.insertsMissingFirst())
					? first(connection, statements, sql) : connection.prepareStatement(sql)) {
				int next = 1;
				for (int row = 0; row < size; row++) {
					next = rows.get(Math.min(row, rows.size() - 1)).set(statement, next);
				}
				statement.execute();
			}
		}
		if (!isCommitted) {
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
			.prepareStatement("select rule_name, rule_key, banned_until from ratelimit_state where rule_name = ?"
					+ " and banned_until > ? order by banned_until desc limit " + BannedKey.MOST)) {
			statement.setBytes(1, rule.getBytes(StandardCharsets.UTF_8));
			statement.setLong(2, now);
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					bans.add(0, new BannedKey(RowKey.read(rows).key(),
							Duration.of(rows.getLong(3) - now, ChronoUnit.MICROS)));
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
					found.add(RowKey.read(rows));
				}
			}
		}
		Collections.sort(found);
		try (PreparedStatement statement = connection
			.prepareStatement("delete from ratelimit_state where rule_name = ? and rule_key = ? and expires_at <= ?")) {
			for (RowKey key : found) {
				statement.setLong(key.set(statement, 1), expiresAt);
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
