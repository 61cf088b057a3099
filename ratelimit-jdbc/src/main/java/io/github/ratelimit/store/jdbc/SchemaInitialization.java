package io.github.ratelimit.store.jdbc;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Scanner;

/**
 * Databases in which the store creates its table.
 *
 * @since 0.1.0
 */
public enum SchemaInitialization {

	/** Create the table in databases that end with this process. */
	EMBEDDED,

	/** Create the table in any database. */
	ALWAYS,

	/** Create no table: a migration of the application does. */
	NEVER;

	private static final int ATTEMPTS = 5;

	private static final String COLUMNS = "select rule_name, rule_key, " + WrittenRow.COLUMNS
			+ " from ratelimit_state where 1 = 0";

	/**
	 * Create the table with its indexes unless it is there: a user who may not create it
	 * can use that of a migration. Instances that do so at the same time may fail, and
	 * then find what others have created.
	 */
	void create(Connection connection, Dialect dialect) throws SQLException {
		boolean isEmbedded = connection.getMetaData().getURL().startsWith("jdbc:h2:mem:");
		boolean creates = this == ALWAYS || this == EMBEDDED && isEmbedded;
		for (int attempt = 1; creates && !isThere(connection, dialect); attempt++) {
			try {
				execute(connection, dialect, script(dialect));
				return;
			}
			catch (SQLException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	private static boolean isThere(Connection connection, Dialect dialect) {
		try {
			execute(connection, dialect, List.of(COLUMNS));
			return true;
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private static void execute(Connection connection, Dialect dialect, List<String> commands) throws SQLException {
		dialect.begin(connection);
		boolean commits = false;
		try (Statement statement = connection.createStatement()) {
			for (String command : commands) {
				statement.execute(command);
			}
			commits = true;
		}
		finally {
			dialect.end(connection, commits);
		}
	}

	private static List<String> script(Dialect dialect) {
		String name = "schema-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
		InputStream script = Objects.requireNonNull(SchemaInitialization.class.getResourceAsStream(name), name);
		try (Scanner commands = new Scanner(script, StandardCharsets.UTF_8).useDelimiter(";\\s*")) {
			return commands.tokens().toList();
		}
	}

}
