package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Replica that the sentinels make the master, called directly: for up to a second, they
 * still name the old master. It refuses to count until it is the master.
 */
final class PromotedReplica implements AutoCloseable {

	private final ScriptRunner runner;

	private final Runnable closing;

	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile boolean connected;

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

	/** Close the connections, on a thread of its own because that blocks. */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		Thread thread = new Thread(() -> {
			this.runner.close();
			this.closing.run();
		}, "ratelimit-redis-close");
		thread.setDaemon(true);
		thread.start();
	}

}
