package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Dedicated Lettuce connection, opened with the client of the application. No command of
 * the application delays a decision, and a broken connection can be closed before Lettuce
 * reconnects and resends unanswered calls. Opening blocks, so it runs on a thread of its
 * own, one at a time. A replaced connection stays open for one timeout, since calls that
 * were given up may still be answered on it.
 */
final class LettuceLink {

	private final LettuceConnectionFactory connections;

	private final Duration timeout;

	private final Runnable whenBroken;

	private final Executor thread;

	private final AtomicReference<@Nullable CompletableFuture<Void>> opening = new AtomicReference<>();

	private volatile @Nullable LettuceChannel channel;

	private final AtomicBoolean redirected = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Create a new link.
	 * @param timeout how long a call waits for its reply
	 * @param whenBroken runs when the connection breaks
	 */
	LettuceLink(LettuceConnectionFactory connections, Duration timeout, Runnable whenBroken) {
		this(connections, timeout, whenBroken, LettuceLink::onNewThread);
	}

	/**
	 * Create a new link.
	 * @param timeout how long a call waits for its reply
	 * @param whenBroken runs when the connection breaks
	 * @param thread connects
	 */
	LettuceLink(LettuceConnectionFactory connections, Duration timeout, Runnable whenBroken, Executor thread) {
		this.connections = connections;
		this.timeout = timeout;
		this.whenBroken = whenBroken;
		this.thread = thread;
	}

	/**
	 * Return the open connection.
	 * @return {@code null} if there is none at the moment
	 */
	@Nullable LettuceChannel channel() {
		return this.channel;
	}

	/**
	 * Open a connection that replaces the current one, unless one is being opened
	 * already.
	 * @return a future that completes when there is a connection
	 */
	CompletableFuture<Void> open() {
		CompletableFuture<Void> mine = new CompletableFuture<>();
		CompletableFuture<Void> running = this.opening.compareAndExchange(null, mine);
		if (running != null) {
			return running;
		}
		try {
			this.thread.execute(() -> open(mine));
		}
		catch (Throwable ex) {
			opened(mine, ex);
		}
		return mine;
	}

	private static void onNewThread(Runnable task) {
		Thread thread = new Thread(task, "ratelimit-redis-connect");
		thread.setDaemon(true);
		thread.start();
	}

	private void open(CompletableFuture<Void> result) {
		Throwable failure = null;
		try {
			replace();
		}
		catch (Throwable ex) {
			failure = ex;
		}
		opened(result, failure);
	}

	private void opened(CompletableFuture<Void> result, @Nullable Throwable failure) {
		this.opening.set(null);
		if (failure == null) {
			result.complete(null);
		}
		else {
			result.completeExceptionally(failure);
		}
	}

	/**
	 * Replace the connection. A connection to a cluster stays and refreshes its topology.
	 */
	private void replace() {
		LettuceChannel old = this.channel;
		if (old != null && old.isCluster()) {
			old.refreshTopology();
			return;
		}
		LettuceChannel fresh = LettuceChannel.open(this.connections);
		fresh.whenBroken(() -> broken(fresh));
		this.channel = fresh;
		if (old != null) {
			CompletableFuture.delayedExecutor(this.timeout.toNanos(), TimeUnit.NANOSECONDS).execute(old::close);
		}
		if (this.closed) {
			fresh.close();
			throw new RedisConnectionFailureException("closed");
		}
	}

	/**
	 * Close a connection that is not usable any more.
	 */
	void broken(LettuceChannel broken) {
		if (this.channel == broken) {
			this.channel = null;
			this.whenBroken.run();
		}
		broken.close();
	}

	/**
	 * Refresh the topology after a redirected call, at most once per second: a slot in
	 * migration redirects many calls.
	 */
	void redirected() {
		if (this.redirected.compareAndSet(false, true)) {
			open();
			CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> this.redirected.set(false));
		}
	}

	/**
	 * Close the connection, and wait until it is closed: a client that is shut down in
	 * the meantime would close it twice.
	 */
	void close() {
		this.closed = true;
		LettuceChannel open = this.channel;
		if (open != null) {
			this.channel = null;
			open.close().completeOnTimeout(null, 1, TimeUnit.SECONDS).exceptionally((failure) -> null).join();
		}
	}

}
