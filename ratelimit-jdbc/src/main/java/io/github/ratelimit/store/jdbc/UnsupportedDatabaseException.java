package io.github.ratelimit.store.jdbc;

import java.io.Serial;
import java.sql.SQLException;

/**
 * The database is none of those whose statements are known.
 */
final class UnsupportedDatabaseException extends SQLException {

	@Serial
	private static final long serialVersionUID = 1L;

	UnsupportedDatabaseException(String product) {
		super("ratelimit.store=jdbc needs PostgreSQL, MySQL, MariaDB or H2, but the database is " + product);
	}

}
