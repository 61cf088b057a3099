package io.github.ratelimit.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

import io.github.ratelimit.database.process.DatabaseProcess;
import io.github.ratelimit.database.process.DatabaseProcess.Kind;

/**
 * One PostgreSQL server. What it has committed outlives its process.
 */
final class DatabaseServer implements Servers {

	private static final String OTHERS = "select pg_terminate_backend(pid) from pg_stat_activity"
			+ " where datname = current_database() and pid <> pg_backend_pid()";

	private final DatabaseProcess server;

	private final String url;

	private final String version;

	DatabaseServer() {
		if (!DatabaseProcess.isInstalled(Kind.POSTGRESQL)) {
			throw new IllegalStateException(
					"PostgreSQL is not installed: apt-get install postgresql, or select other servers by SOAK_SERVERS");
		}
		this.server = DatabaseProcess.start(Kind.POSTGRESQL, "-c", "fsync=off");
		this.url = this.server.urlOf("soak");
		this.version = connected((connection) -> connection.getMetaData().getDatabaseProductVersion());
	}

	@Override
	public List<String> properties() {
		return List.of("ratelimit.store=jdbc", "ratelimit.jdbc.initialize-schema=always",
				"ratelimit.jdbc.timeout=${ratelimit.redis.timeout}", Instance.DATABASE + '=' + this.url);
	}

	@Override
	public List<Fault> faults() {
		return List.of(new Fault("hangs", false, this::hang), new Fault("is killed and restarts", false, this::kill),
				new Fault("loses its data", true, (random) -> execute("truncate ratelimit_state")),
				new Fault("loses its connections", false, this::breakConnections),
				new Fault("only reads", false, this::demote),
				new Fault("has rows that others lock", false,
						(random) -> lock("select 1 from ratelimit_state where random() < 0.5 for update skip locked",
								random.nextInt(1_500))),
				new Fault("has a table that others lock", false,
						(random) -> lock("lock table ratelimit_state in access exclusive mode", random.nextInt(1_000))),
				new Fault("is slow", false, this::slow));
	}

	private void hang(RandomGenerator random) throws InterruptedException {
		hang(random.nextInt(20, 2_000));
	}

	private void hang(int millis) throws InterruptedException {
		this.server.freeze();
		Thread.sleep(millis);
		this.server.resume();
	}

	private void kill(RandomGenerator random) throws InterruptedException {
		this.server.kill();
		Thread.sleep(random.nextInt(2_000));
		this.server.start();
	}

	private void breakConnections(RandomGenerator random) throws InterruptedException {
		for (int i = random.nextInt(1, 5); i > 0; i--) {
			execute(OTHERS);
			Thread.sleep(random.nextInt(200));
		}
	}

	private void demote(RandomGenerator random) throws InterruptedException {
		execute("alter system set default_transaction_read_only = on");
		execute("select pg_reload_conf()");
		Thread.sleep(random.nextInt(1_500));
		execute("alter system reset default_transaction_read_only");
		execute("select pg_reload_conf()");
	}

	private void slow(RandomGenerator random) throws InterruptedException {
		for (int i = 0; i < 15; i++) {
			hang(random.nextInt(20, 150));
			Thread.sleep(random.nextInt(20));
		}
	}

	private void lock(String statement, int millis) {
		connected((connection) -> {
			connection.setAutoCommit(false);
			execute(connection, statement);
			Soak.sleep(Duration.ofMillis(millis));
			connection.rollback();
			return statement;
		});
	}

	private void execute(String statement) {
		connected((connection) -> execute(connection, statement));
	}

	private static boolean execute(Connection connection, String text) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			return statement.execute(text);
		}
	}

	private <T> T connected(Work<T> work) {
		try (Connection connection = DriverManager.getConnection(this.url)) {
			return work.by(connection);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return "PostgreSQL " + this.version;
	}

	@Override
	public void close() {
		this.server.close();
	}

	/**
	 * Work by a connection.
	 */
	private interface Work<T> {

		T by(Connection connection) throws SQLException;

	}

}
