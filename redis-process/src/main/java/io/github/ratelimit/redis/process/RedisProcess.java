package io.github.ratelimit.redis.process;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
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

	private static final int ATTEMPTS = 5;

	private final RedisLauncher launcher;

	private WatchedServer server;

	private boolean frozen;

	private boolean closed;

	private RedisProcess(RedisLauncher launcher) {
		this.launcher = launcher;
		this.server = launcher.launch();
	}

	/**
	 * Start a server and wait until it answers.
	 * @param moreArguments for example {@code "--maxmemory", "1mb"}; they override the
	 * defaults, but must not change the port
	 * @return a server that answers
	 * @throws IllegalStateException if there is no redis-server to run, or it does not
	 * answer within 10 seconds; then the message contains its output
	 */
	public static RedisProcess start(String... moreArguments) {
		return start(RedisOptions.none().withArguments(moreArguments));
	}

	/**
	 * Start a server with options and wait until it answers.
	 * @param options the options that differ from the defaults
	 * @return a server that answers
	 * @throws IllegalStateException as {@link #start(String...)}
	 */
	public static RedisProcess start(RedisOptions options) {
		return start(FreePort::find, options);
	}

	static RedisProcess start(IntSupplier ports, RedisOptions options) {
		for (int attempt = 1;; attempt++) {
			try {
				return new RedisProcess(
						new RedisLauncher(options, ports.getAsInt(), options.tls() ? ports.getAsInt() : -1));
			}
			catch (RedisLauncher.PortTakenException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	public String host() {
		return RedisLauncher.HOST;
	}

	public int port() {
		return this.launcher.port();
	}

	/**
	 * Return the port that serves TLS.
	 * @return another port than {@link #port()}
	 * @throws IllegalStateException if the server was started without TLS
	 */
	public int tlsPort() {
		if (!this.launcher.options().tls()) {
			throw new IllegalStateException(this + " was started without TLS");
		}
		return this.launcher.tlsPort();
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
		try (RespConnection connection = connect(Duration.ofSeconds(20))) {
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
		return this.launcher.connect(timeout);
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
		this.server = this.launcher.launch();
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
	@Override
	public String toString() {
		return this.launcher.toString();
	}

}
