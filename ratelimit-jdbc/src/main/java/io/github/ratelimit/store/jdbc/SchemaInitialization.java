package io.github.ratelimit.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Objects;

/**
 * Databases in which the store creates its table.
 *
 * @since 0.1.0
 */
public enum SchemaInitialization {

	/**
	 * Create the table in databases that end with this process.
	 */
	EMBEDDED {

		@Override
		boolean appliesTo(Connection connection) throws SQLException {
			return connection.getMetaData().getURL().startsWith("jdbc:h2:mem:");
		}

	},

	/**
	 * Create the table in any database.
	 */
	ALWAYS {

		@Override
		boolean appliesTo(Connection connection) {
			return true;
		}

	},

	/**
	 * Create no table: a migration of the application does.
	 */
	NEVER {

		@Override
		boolean appliesTo(Connection connection) {
			return false;
		}

	};

	abstract boolean appliesTo(Connection connection) throws SQLException;

	/**
	 * Create the table and its indexes where they are missing.
	 */
	void create(Connection connection, Dialect dialect) throws SQLException {
		if (appliesTo(connection)) {
			try (Statement statement = connection.createStatement()) {
				for (String command : script(dialect).split(";")) {
					if (!command.isBlank()) {
						statement.execute(command);
					}
				}
			}
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
	}

	private static String script(Dialect dialect) {
		String name = "schema-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
		try (InputStream script = SchemaInitialization.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(script, name).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
