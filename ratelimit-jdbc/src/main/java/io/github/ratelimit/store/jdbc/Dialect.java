package io.github.ratelimit.store.jdbc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Locale;

/** Statements of a database, each for a number of rows of {@code ratelimit_state}. */
enum Dialect {

	/**
	 * PostgreSQL locks existing rows without writing them, and reads its clock when all
	 * are locked: the rows come from a subquery, so their lock is awaited before the
	 * clock is read. The last statement travels with the commit.
	 */
	POSTGRESQL(64, "(extract(epoch from clock_timestamp()) * 1000000)::bigint") {

		@Override
		String lock(int rows) {
			return "select v.r, v.k, s.state, s.state is not null, " + clock() + " from (values "
					+ list("(?::bytea, ?::bytea)", rows, ", ")
					+ ") v (r, k) left join lateral (select state from ratelimit_state"
					+ " where rule_name = v.r and rule_key = v.k for update) s on true";
		}

		@Override
		String update(int rows) {
			return (rows == 1) ? super.update(1)
					: "update ratelimit_state t set (" + WrittenRow.COLUMNS + ") = (v.s, v.b, v.e) from (values "
							+ list("(?::bytea, ?::bigint, ?::bigint, ?::bytea, ?::bytea)", rows, ", ")
							+ ") v (s, b, e, r, k) where t.rule_name = v.r and t.rule_key = v.k";
		}

		/** Rows that are locked are in use, so they are left alone, not awaited. */
		@Override
		String delete(int rows) {
			return "delete from ratelimit_state where ctid = any(array("
					+ super.delete(rows).replace("delete", "select ctid") + " for update skip locked))";
		}

		@Override
		PreparedStatement first(Connection connection, String sql, boolean isolated, int millis) throws SQLException {
			return connection.prepareStatement((isolated ? "set transaction isolation level read committed; " : "")
					+ "set local lock_timeout = " + millis + "; set local idle_in_transaction_session_timeout = "
					+ Math.max(1_000, 5L * millis) + "; " + sql);
		}

	},

	/**
	 * MySQL and MariaDB. Their clock is that of the statement, and the time since: no
	 * function without time zone shows the current time. A change of daylight saving in
	 * between is a multiple of half an hour.
	 */
	MYSQL(64,
			"timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))"
					+ " + mod(mod(timestampdiff(microsecond, now(6), sysdate(6)), 1800000000) + 2700000000, 1800000000)"
					+ " - 900000000") {

		@Override
		String update(int rows) {
			return super.insert(rows) + " on duplicate key update " + INSERTED;
		}

		@Override
		String insert(int rows) {
			return super.insert(rows).replace("insert into", "insert ignore into");
		}

		/**
		 * MySQL bounds no wait by less than a second, nor for one statement alone: its
		 * driver does, in whole seconds.
		 */
		@Override
		PreparedStatement first(Connection connection, String sql, boolean isolated, int millis) throws SQLException {
			if (connection.getMetaData().getDatabaseProductName().equals("MariaDB")) {
				return connection.prepareStatement(
						"set statement max_statement_time = " + BigDecimal.valueOf(millis, 3) + " for " + sql);
			}
			PreparedStatement statement = connection.prepareStatement(sql);
			statement.setQueryTimeout((millis + 999) / 1000);
			return statement;
		}

	},

	/** H2, by the clock of this process: its own one stands still in a transaction. */
	H2(1, "0");

	private static final String INSERTED = WrittenRow.COLUMNS.replaceAll("\\w+", "$0 = values($0)");

	private final int mostRows;

	private final String clock;

	Dialect(int mostRows, String clock) {
		this.mostRows = mostRows;
		this.clock = clock;
	}

	/** Return the dialect of a database, unless it is not supported. */
	static Dialect of(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return switch (product.toLowerCase(Locale.ROOT)) {
			case "postgresql" -> POSTGRESQL;
			case "mysql", "mariadb" -> MYSQL;
			case "h2" -> H2;
			default -> throw new SQLFeatureNotSupportedException(
					"ratelimit.store=jdbc needs PostgreSQL, MySQL, MariaDB or H2, but the database is " + product);
		};
	}

	int mostRows() {
		return this.mostRows;
	}

	/** Return for how many rows a statement is prepared, so that there are few. */
	static int size(int rows) {
		return (rows <= 1) ? 1 : Integer.highestOneBit(rows - 1) << 1;
	}

	/** Return the expression for the time in microseconds, 0 for that of this process. */
	String clock() {
		return this.clock;
	}

	/**
	 * Return the query that locks rows. Its result has the primary key, the state,
	 * whether there is the row, and the time. The same row may be named several times.
	 */
	String lock(int rows) {
		return "select rule_name, rule_key, state, true, " + this.clock + " from ratelimit_state where "
				+ list("rule_name = ? and rule_key = ?", rows, " or ") + " order by rule_name, rule_key for update";
	}

	/** Return the statement that changes existing rows. */
	String update(int rows) {
		return "update ratelimit_state set (" + WrittenRow.COLUMNS
				+ ") = (?, ?, ?) where rule_name = ? and rule_key = ?";
	}

	/** Return the statement that adds rows, with the same parameters. */
	String insert(int rows) {
		return "insert into ratelimit_state (" + WrittenRow.COLUMNS + ", rule_name, rule_key) values "
				+ list("(?, ?, ?, ?, ?)", rows, ", ");
	}

	/**
	 * Return the statement that deletes rows unless they expire after a time, its last
	 * parameter. It is executed in no batch: PostgreSQL's driver reports the failure of a
	 * batch with all values, keys among them, and MySQL commits each of its statements.
	 */
	String delete(int rows) {
		return "delete from ratelimit_state where (" + list("rule_name = ? and rule_key = ?", rows, " or ")
				+ ") and expires_at <= ?";
	}

	/**
	 * Prepare the first statement of a transaction, which alone waits for locked rows. If
	 * it waits too long, it fails, and the connection stays as it was. A transaction of
	 * an instance that stands still ends where the database can bound that.
	 * @param isolated whether transactions must be told to read rows that others have
	 * changed. Where they are not, queries that lock rows do so anyway
	 */
	PreparedStatement first(Connection connection, String sql, boolean isolated, int millis) throws SQLException {
		return connection.prepareStatement(sql);
	}

	/**
	 * Return whether missing rows are added before they are locked, in a transaction of
	 * their own. MySQL locks the gap in which a missing row would be, in which then
	 * nobody can insert one.
	 */
	boolean insertsMissingFirst() {
		return this == MYSQL;
	}

	/** Return whether the last statement of a transaction may contain the commit. */
	boolean commitsWithStatement() {
		return this == POSTGRESQL;
	}

	void begin(Connection connection) throws SQLException {
		if (connection.getAutoCommit()) {
			if (this == MYSQL) {
				execute(connection, "start transaction");
			}
			else {
				connection.setAutoCommit(false);
			}
		}
	}

	void end(Connection connection, boolean commits) throws SQLException {
		if (this == MYSQL) {
			execute(connection, commits ? "commit" : "rollback");
		}
		else if (commits) {
			connection.commit();
		}
		else {
			connection.rollback();
		}
	}

	/** To change the mode of a connection to MySQL would take two round trips more. */
	private static void execute(Connection connection, String command) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(command);
		}
	}

	private static String list(String each, int times, String separator) {
		return String.join(separator, Collections.nCopies(times, each));
	}

}
