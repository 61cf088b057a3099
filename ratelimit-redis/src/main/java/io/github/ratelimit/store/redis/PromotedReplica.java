package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Replica that the sentinels make the master, called directly: for up to a second, they
 * still name the old master. It refuses to count until it is the master.
 */
final class PromotedReplica implements AutoCloseable {

	private final ScriptRunner runner;

	private final Runnable closing;

	private volatile boolean connected;

	private boolean closed;

	PromotedReplica(ScriptRunner runner, Runnable closing) {
		this.runner = runner;
		this.closing = closing;
	}

	/**
	 * Connect, or reconnect: sentinels break all connections to a replica that they
	 * promote.
	 */
	CompletableFuture<Void> connect() {
		return this.runner.connect().thenRun(() -> this.connected = true);
	}

	/** Return the runner of scripts, {@code null} if the replica is not connected. */
	@Nullable ScriptRunner runner() {
		return this.connected ? this.runner : null;
	}

	/** Close the connections, and wait until they are closed. */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.runner.close();
			this.closing.run();
		}
	}

}
