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

	/** Create the table in databases that end with this process. */
	EMBEDDED,

	/** Create the table in any database. */
	ALWAYS,

	/** Create no table: a migration of the application does. */
	NEVER;

	private static final int ATTEMPTS = 5;

	/**
	 * Create the table and its indexes where they are missing. Instances that do so at
	 * the same time may fail, although all commands allow for what there is, and then
	 * find what others have created.
	 */
	void create(Connection connection, Dialect dialect) throws SQLException {
		boolean isEmbedded = connection.getMetaData().getURL().startsWith("jdbc:h2:mem:");
		for (int attempt = 1; this == ALWAYS || this == EMBEDDED && isEmbedded; attempt++) {
			boolean commits = !connection.getAutoCommit();
			try (Statement statement = connection.createStatement()) {
				for (String command : script(dialect).strip().split(";")) {
					statement.execute(command);
				}
				if (commits) {
					connection.commit();
				}
				return;
			}
			catch (SQLException ex) {
				if (commits) {
					connection.rollback();
				}
				if (attempt == ATTEMPTS) {
					throw ex;
				}
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
