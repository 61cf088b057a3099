package io.github.ratelimit.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.database.process.DatabaseProcess;
import org.junit.jupiter.api.Assumptions;

import static org.awaitility.Awaitility.await;

/**
 * Databases of tests. The servers end with the JVM.
 */
enum TestDatabase {

	H2 {

		@Override
		boolean isInstalled() {
			return true;
		}

		@Override
		DatabaseProcess server() {
			throw new UnsupportedOperationException("H2 runs in this process");
		}

		@Override
		String newUrl() {
			return "jdbc:h2:mem:" + newName() + ";DB_CLOSE_DELAY=-1";
		}

	},

	POSTGRESQL {

		@Override
		boolean isInstalled() {
			return DatabaseProcess.isInstalled(DatabaseProcess.Kind.POSTGRESQL);
		}

		@Override
		DatabaseProcess server() {
			return PostgreSql.PROCESS;
		}

	},

	MARIADB {

		@Override
		boolean isInstalled() {
			return DatabaseProcess.isInstalled(DatabaseProcess.Kind.MARIADB);
		}

		@Override
		DatabaseProcess server() {
			return MariaDb.PROCESS;
		}

	};

	private static final AtomicInteger created = new AtomicInteger();

	/**
	 * Return the database that all tests of stores run on.
	 */
	static TestDatabase selected() {
		return valueOf(System.getProperty("ratelimit.test.database", "h2").toUpperCase(Locale.ROOT));
	}

	abstract boolean isInstalled();

	/**
	 * Skip the test if the database is not installed, but not in CI.
	 */
	void assumeInstalled() {
		Assumptions.assumeTrue(isInstalled() || System.getenv("CI") != null,
				() -> this + " is not installed: see CONTRIBUTING.md");
	}

	/**
	 * Return the server, which is started by the first call.
	 */
	abstract DatabaseProcess server();

	/**
	 * Create a new database.
	 * @return its URL
	 */
	String newUrl() {
		return server().urlOf(newName());
	}

	private static String newName() {
		return "states" + created.incrementAndGet();
	}

	/**
	 * Open a pool of connections to a new database.
	 */
	HikariDataSource dataSource() {
		return pool(newUrl(), 8);
	}

	/**
	 * Open a pool of connections, and wait until all are open.
	 */
	static HikariDataSource pool(String url, int size) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(size);
		config.setConnectionTimeout(5_000);
		HikariDataSource pool = new HikariDataSource(config);
		await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == size);
		return pool;
	}

	/**
	 * Execute a command.
	 */
	static void execute(HikariDataSource pool, String command) {
		try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(command);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the literal of bytes.
	 * @param digits the bytes in hexadecimal
	 */
	String bytes(String digits) {
		return (this == POSTGRESQL) ? "'\\x" + digits + "'::bytea" : "x'" + digits + "'";
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

	private static final class PostgreSql {

		static final DatabaseProcess PROCESS = DatabaseProcess.start(DatabaseProcess.Kind.POSTGRESQL, "-c", "fsync=off",
				"-c", "timezone=Europe/Paris");

	}

	private static final class MariaDb {

		static final DatabaseProcess PROCESS = DatabaseProcess.start(DatabaseProcess.Kind.MARIADB,
				"--innodb-flush-log-at-trx-commit=2", "--innodb-flush-method=nosync", "--default-time-zone=+05:30");

	}

}
