package io.github.ratelimit.redis.process;

import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Options and ports of a server, which a restart keeps. It starts the server, and
 * connects to it.
 *
 * @param options the options
 * @param port the port of clients
 * @param tlsPort the port for TLS; ignored without TLS
 */
record RedisLauncher(RedisOptions options, int port, int tlsPort) {

	static final String HOST = "127.0.0.1";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * Start the server and wait until it answers.
	 * @return a server that answers
	 * @throws PortTakenException if another process has the port
	 * @throws IllegalStateException if the server does not answer for another reason
	 */
	WatchedServer launch() {
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

	/**
	 * Open a connection, authenticated if the options contain credentials.
	 * @param timeout the timeout of connecting, and of each reply
	 */
	RespConnection connect(Duration timeout) {
		RespConnection connection = RespConnection.open(HOST, this.port, timeout);
		try {
			Credentials credentials = this.options.credentials();
			if (credentials != null) {
				connection.command(credentials.authCommand());
			}
			return connection;
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	@Override
	public String toString() {
		return "%s on %s:%d".formatted(this.options.binary(), HOST, this.port);
	}

	static final class PortTakenException extends IllegalStateException {

		private static final long serialVersionUID = 1L;

		PortTakenException(String message) {
			super(message);
		}

	}

}
