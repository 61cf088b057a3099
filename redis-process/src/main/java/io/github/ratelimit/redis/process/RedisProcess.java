package io.github.ratelimit.redis.process;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Real redis-server on a free port of the loopback interface, empty at first and without
 * persistence. It ends with {@link #close()}, and at the latest when this JVM ends, even
 * by SIGKILL. It can be frozen, killed and restarted, to test how clients react.
 *
 * <pre class="code">
 * try (RedisProcess redis = RedisProcess.start()) {
 *     redis.command("SET", "key", "value");
 * }
 * </pre>
 */
public final class RedisProcess implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int ATTEMPTS = 5;

	private final RedisOptions options;

	private final int port;

	private final int tlsPort;

	private WatchedServer server;

	private boolean frozen;

	private boolean closed;

	private RedisProcess(RedisOptions options, int port, int tlsPort) {
		this.options = options;
		this.port = port;
		this.tlsPort = tlsPort;
		this.server = launch();
	}

	/**
	 * Start a server and wait until it answers.
	 * @return a server that answers
	 * @throws IllegalStateException if there is no redis-server to run, or it does not
	 * answer within 10 seconds; then the message contains its output
	 */
	public static RedisProcess start() {
		return start(List.of());
	}

	/**
	 * Start a server with more arguments and wait until it answers.
	 * @param moreArguments for example {@code List.of("--maxmemory", "1mb")}; they
	 * override the defaults, but must not change the port
	 * @return a server that answers
	 * @throws IllegalStateException as {@link #start()}
	 */
	public static RedisProcess start(List<String> moreArguments) {
		return start(RedisOptions.none().withArguments(moreArguments));
	}

	/**
	 * Start a server with options and wait until it answers.
	 * @param options the options that differ from the defaults
	 * @return a server that answers
	 * @throws IllegalStateException as {@link #start()}
	 */
	public static RedisProcess start(RedisOptions options) {
		return start(FreePort::find, options);
	}

	static RedisProcess start(IntSupplier ports, RedisOptions options) {
		for (int attempt = 1;; attempt++) {
			try {
				return new RedisProcess(options, ports.getAsInt(), options.tls() ? ports.getAsInt() : -1);
			}
			catch (PortTakenException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	private WatchedServer launch() {
		WatchedServer launched = WatchedServer.launch(this.options.files(),
				this.options.command(HOST, this.port, this.tlsPort));
		try {
			awaitAnswer(launched);
			return launched;
		}
		catch (RuntimeException ex) {
			launched.stop();
			throw ex;
		}
	}

	private void awaitAnswer(WatchedServer launched) {
		long start = System.nanoTime();
		while (!launched.endsWithin(Duration.ofMillis(10))) {
			if (answers(launched)) {
				return;
			}
			if (System.nanoTime() - start > PATIENCE.toNanos()) {
				throw new IllegalStateException(
						"%s does not answer within %s. Its output:%n%s".formatted(this, PATIENCE, launched.output()));
			}
		}
		String output = launched.output();
		String message = "%s ended at once. Its output:%n%s".formatted(this, output);
		throw output.contains("Address already in use") ? new PortTakenException(message)
				: new IllegalStateException(message);
	}

	/**
	 * Return whether this server answers, and not another one that took the port first.
	 */
	private boolean answers(WatchedServer launched) {
		try (RespConnection connection = connect(Duration.ofSeconds(1))) {
			String info = String.valueOf(connection.command("INFO", "server"));
			return info.contains("process_id:" + launched.pid() + "\r\n");
		}
		catch (RedisErrorReply reply) {
			return String.valueOf(reply.getMessage()).startsWith("NOAUTH");
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	public String host() {
		return HOST;
	}

	public int port() {
		return this.port;
	}

	/**
	 * Return the port that serves TLS.
	 * @return another port than {@link #port()}
	 * @throws IllegalStateException if the server was started without TLS
	 */
	public int tlsPort() {
		if (!this.options.tls()) {
			throw new IllegalStateException(this + " was started without TLS");
		}
		return this.tlsPort;
	}

	/**
	 * Return the process id of redis-server, which a restart changes.
	 * @return the process id
	 */
	public synchronized long pid() {
		return this.server.pid();
	}

	/**
	 * Return the working directory, which a restart changes.
	 */
	synchronized Path directory() {
		return this.server.directory();
	}

	/**
	 * Send a command on a new connection and wait up to 5 seconds for the reply.
	 * @param words the command and its arguments
	 * @return a {@code String}, a {@code Long}, a {@code List} of replies, or
	 * {@code null}
	 * @throws RedisErrorReply if the reply is an error
	 * @throws UncheckedIOException if the server cannot be reached or does not reply
	 */
	public @Nullable Object command(String... words) {
		try (RespConnection connection = connect(Duration.ofSeconds(5))) {
			return connection.command(words);
		}
	}

	/**
	 * Open a connection for several commands. It is authenticated if the options contain
	 * credentials.
	 * @param timeout the timeout of connecting, and of each reply
	 * @return an open connection
	 * @throws UncheckedIOException if the server cannot be reached
	 */
	public RespConnection connect(Duration timeout) {
		RespConnection connection = RespConnection.open(HOST, this.port, timeout);
		Credentials credentials = this.options.credentials();
		if (credentials != null) {
			authenticate(connection, credentials);
		}
		return connection;
	}

	private static void authenticate(RespConnection connection, Credentials credentials) {
		try {
			connection.command(credentials.authCommand());
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	/**
	 * Return whether the server runs: it is neither frozen nor killed nor closed.
	 * @return whether it can answer
	 */
	public synchronized boolean isRunning() {
		return this.server.isAlive() && !this.frozen;
	}

	/**
	 * Make the server hang (SIGSTOP): its port still accepts connections, but no command
	 * is answered.
	 */
	public synchronized void freeze() {
		requireAlive().freeze();
		this.frozen = true;
	}

	/**
	 * Resume the server after {@link #freeze()} (SIGCONT).
	 */
	public synchronized void resume() {
		requireAlive().resume();
		this.frozen = false;
	}

	/**
	 * Kill the server (SIGKILL) and wait for its end: connections break, the port refuses
	 * new ones.
	 */
	public synchronized void kill() {
		requireAlive().kill();
	}

	/**
	 * Start the server again, on the same port and without data; kill it first if it
	 * runs.
	 */
	public synchronized void restart() {
		if (this.closed) {
			throw new IllegalStateException(this + " is closed");
		}
		this.server.stop();
		this.server = launch();
		this.frozen = false;
	}

	/**
	 * Stop the server, in any state, and remove its files. Closing again does nothing.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.server.stop();
	}

	private WatchedServer requireAlive() {
		if (!this.server.isAlive()) {
			throw new IllegalStateException(this + " is not running");
		}
		return this.server;
	}

	/**
	 * Describe the server for logs.
	 * @return for example {@code redis-server 6.2.11 (embedded-redis) on 127.0.0.1:21233}
	 */
	public String description() {
		return "%s on %s:%d".formatted(this.options.binary(), HOST, this.port);
	}

	@Override
	public String toString() {
		return description();
	}

	private static final class PortTakenException extends IllegalStateException {

		private static final long serialVersionUID = 1L;

		PortTakenException(String message) {
			super(message);
		}

	}

}
