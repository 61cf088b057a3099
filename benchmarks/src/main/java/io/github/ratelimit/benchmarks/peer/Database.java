package io.github.ratelimit.benchmarks.peer;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.database.process.DatabaseProcess;

/**
 * PostgreSQL as it is installed, with a database for all contenders.
 */
public final class Database implements AutoCloseable {

	private final DatabaseProcess process;

	private final String url;

	private Database(DatabaseProcess process) {
		this.process = process;
		this.url = process.urlOf("lane");
	}

	/**
	 * Start the server. Its commits are safe, as they are by default.
	 */
	public static Database start() {
		return new Database(DatabaseProcess.start(DatabaseProcess.Kind.POSTGRESQL));
	}

	String url() {
		return this.url;
	}

	/**
	 * Open a pool of as many connections as Spring Boot opens by default.
	 */
	HikariDataSource pool() {
		return pool(this.url);
	}

	static HikariDataSource pool(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		return new HikariDataSource(config);
	}

	/**
	 * Return the processor time of the server since its start, in microseconds.
	 */
	public long cpuMicros() {
		return this.process.cpuMicros();
	}

	/**
	 * Describe the server.
	 */
	public String description() {
		try (HikariDataSource pool = pool(); Connection connection = pool.getConnection()) {
			return "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion()
					+ " on loopback, ten connections for each contender";
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
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

	@Override
	public void close() {
		this.process.close();
	}

}
