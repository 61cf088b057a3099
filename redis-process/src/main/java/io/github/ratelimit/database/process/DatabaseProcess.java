package io.github.ratelimit.database.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.FreePort;
import org.jspecify.annotations.Nullable;

/**
 * Real PostgreSQL or MariaDB on a free port of this machine, with its data in a directory
 * of its own. It ends with the JVM. Servers do not run as root, so they run as the user
 * that Debian has for them then.
 */
public final class DatabaseProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

	private final Kind kind;

	private final Path directory;

	private final int port;

	private final String[] options;

	private Process process;

	private DatabaseProcess(Kind kind, String... options) throws IOException, InterruptedException {
		this.kind = kind;
		this.options = options;
		this.port = FreePort.find();
		this.directory = Files.createTempDirectory("ratelimit-database");
		if (IS_ROOT) {
			run(List.of("chown", kind.user, this.directory.toString()));
		}
		run(asUser(kind.initialize(this.directory)));
		Runtime.getRuntime().addShutdownHook(new Thread(this::close));
		start();
	}

	/**
	 * Return whether the server is installed.
	 */
	public static boolean isInstalled(Kind kind) {
		return kind.binary() != null;
	}

	/**
	 * Start a new server, and wait until it answers.
	 * @param options options of the server beside those that place it here
	 */
	public static DatabaseProcess start(Kind kind, String... options) {
		try {
			return new DatabaseProcess(kind, options);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<String> asUser(List<String> command) {
		List<String> all = new ArrayList<>();
		if (IS_ROOT) {
			all.addAll(List.of("runuser", "-u", this.kind.user, "--"));
		}
		all.addAll(command);
		return all;
	}

	private void run(List<String> command) throws IOException, InterruptedException {
		Process done = builder(command).start();
		if (done.waitFor() != 0) {
			throw new IllegalStateException(command + " failed: " + Files.readString(log()));
		}
	}

	private ProcessBuilder builder(List<String> command) {
		return new ProcessBuilder(command).directory(Path.of("/").toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
	}

	private Path log() {
		return this.directory.resolveSibling(this.directory.getFileName() + ".log");
	}

	/**
	 * Start the server again after it was killed.
	 */
	public void start() {
		List<String> command = new ArrayList<>(this.kind.serve(this.directory, this.port));
		command.addAll(List.of(this.options));
		try {
			this.process = builder(asUser(command)).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		long until = System.nanoTime() + PATIENCE.toNanos();
		while (!answers()) {
			if (System.nanoTime() - until > 0 || !this.process.isAlive()) {
				throw new IllegalStateException("The database did not start: see " + log());
			}
		}
	}

	private boolean answers() {
		try (Connection connection = DriverManager.getConnection(url(""))) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			pause();
			return false;
		}
	}

	private static void pause() {
		try {
			Thread.sleep(50);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the URL of a database, created if there is none.
	 */
	public String urlOf(String database) {
		try (Connection connection = DriverManager.getConnection(url(""));
				Statement statement = connection.createStatement()) {
			statement.execute("create database " + database);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return url(database);
	}

	private String url(String database) {
		return this.kind.url(this.port, database);
	}

	/**
	 * End the server as a crash does.
	 */
	public void kill() {
		List<ProcessHandle> all = all();
		all.forEach(ProcessHandle::destroyForcibly);
		all.forEach((each) -> each.onExit().join());
	}

	/**
	 * Stop the server from answering, while its connections stay open. A process that it
	 * starts meanwhile gets the next signal.
	 */
	public void freeze() {
		long until = System.nanoTime() + PATIENCE.toNanos();
		signal("-STOP");
		while (all().stream().anyMatch(DatabaseProcess::runs)) {
			if (System.nanoTime() - until > 0) {
				throw new IllegalStateException("The database did not stop");
			}
			pause();
			signal("-STOP");
		}
	}

	/**
	 * On a busy machine, threads run on after a signal, for up to a quarter of a second.
	 */
	private static boolean runs(ProcessHandle process) {
		Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
		try (Stream<Path> all = Files.list(threads)) {
			for (Path each : all.toList()) {
				if (Files.readString(each.resolve("stat")).matches("(?s).*\\) [RSD] .*")) {
					return true;
				}
			}
		}
		catch (IOException ex) {
			// it has ended, or the system does not show threads
		}
		return false;
	}

	/**
	 * Let the server answer again.
	 */
	public void resume() {
		signal("-CONT");
	}

	private void signal(String signal) {
		List<String> command = new ArrayList<>(List.of("kill", signal));
		all().forEach((each) -> command.add(String.valueOf(each.pid())));
		try {
			new ProcessBuilder(command).start().waitFor();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<ProcessHandle> all() {
		return Stream.concat(this.process.descendants(), Stream.of(this.process.toHandle())).toList();
	}

	/**
	 * Return the processor time of the server and its connections since their start, in
	 * microseconds.
	 */
	public long cpuMicros() {
		return all().stream()
			.flatMap((each) -> each.info().totalCpuDuration().stream())
			.mapToLong((time) -> time.toNanos() / 1000)
			.sum();
	}

	@Override
	public void close() {
		resume();
		kill();
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
			Files.deleteIfExists(log());
		}
		catch (IOException | UncheckedIOException ex) {
			// left to the system
		}
	}

	/**
	 * Kind of a server.
	 */
	public enum Kind {

		/**
		 * PostgreSQL. Its programs are in a directory per version.
		 */
		POSTGRESQL("postgres") {

			@Override
			@Nullable Path binary() {
				Path[] versions = {};
				try (Stream<Path> found = Files.list(Path.of("/usr/lib/postgresql"))) {
					versions = found.map((version) -> version.resolve("bin/postgres"))
						.filter(Files::isExecutable)
						.sorted()
						.toArray(Path[]::new);
				}
				catch (IOException ex) {
					// not installed
				}
				return (versions.length > 0) ? versions[versions.length - 1] : null;
			}

			@Override
			List<String> initialize(Path directory) {
				return List.of(binary().resolveSibling("initdb").toString(), "-D", data(directory), "-U", "test", "-A",
						"trust", "--no-sync", "-E", "UTF8", "--locale=C");
			}

			@Override
			List<String> serve(Path directory, int port) {
				return List.of(binary().toString(), "-D", data(directory), "-p", String.valueOf(port), "-k",
						directory.toString(), "-c", "listen_addresses=127.0.0.1");
			}

			@Override
			String url(int port, String database) {
				return "jdbc:postgresql://127.0.0.1:" + port + "/" + (database.isEmpty() ? "postgres" : database)
						+ "?user=test&connectTimeout=2";
			}

		},

		/**
		 * MariaDB.
		 */
		MARIADB("mysql") {

			@Override
			@Nullable Path binary() {
				return Stream.of("/usr/sbin/mariadbd", "/usr/local/bin/mariadbd")
					.map(Path::of)
					.filter(Files::isExecutable)
					.findFirst()
					.orElse(null);
			}

			@Override
			List<String> initialize(Path directory) {
				return List.of("mariadb-install-db", "--no-defaults", "--datadir=" + data(directory),
						"--auth-root-authentication-method=normal", "--skip-test-db");
			}

			@Override
			List<String> serve(Path directory, int port) {
				return List.of(binary().toString(), "--no-defaults", "--datadir=" + data(directory), "--port=" + port,
						"--bind-address=127.0.0.1", "--socket=" + directory.resolve("socket"),
						"--pid-file=" + directory.resolve("pid"));
			}

			@Override
			String url(int port, String database) {
				return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&connectTimeout=2000";
			}

		};

		private final String user;

		Kind(String user) {
			this.user = user;
		}

		/**
		 * Return the server, {@code null} if it is not installed.
		 */
		abstract @Nullable Path binary();

		abstract List<String> initialize(Path directory);

		abstract List<String> serve(Path directory, int port);

		abstract String url(int port, String database);

		private static String data(Path directory) {
			return directory.resolve("data").toString();
		}

	}

}
