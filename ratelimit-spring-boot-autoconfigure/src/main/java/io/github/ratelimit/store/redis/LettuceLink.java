package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The way to Redis over Lettuce: a connection of its own, opened with the client that the
 * application has configured. So no command of the application holds up a decision, and a
 * connection that breaks can be closed for good, before Lettuce reconnects and sends
 * again what was not answered. Opening one blocks, so it happens on a thread of its own,
 * one at a time. A connection that another one replaces stays open for a time-out, since
 * calls that were given up may still be answered on it.
 */
final class LettuceLink {

	private final LettuceConnectionFactory connections;

	private final Duration timeout;

	private final Runnable whenBroken;

	private final AtomicReference<@Nullable CompletableFuture<Void>> opening = new AtomicReference<>();

	private volatile @Nullable LettuceChannel channel;

	private final AtomicBoolean redirected = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Create a new link.
	 * @param timeout how long a call waits for its reply
	 * @param whenBroken what to do when the connection breaks and is closed for good
	 */
	LettuceLink(LettuceConnectionFactory connections, Duration timeout, Runnable whenBroken) {
		this.connections = connections;
		this.timeout = timeout;
		this.whenBroken = whenBroken;
	}

	/**
	 * The open connection.
	 * @return {@code null} if there is none at the moment
	 */
	@Nullable LettuceChannel channel() {
		return this.channel;
	}

	/**
	 * Open a connection that takes the place of the one there is, if any, unless one is
	 * being opened already.
	 * @return when there is a connection
	 */
	CompletableFuture<Void> open() {
		CompletableFuture<Void> mine = new CompletableFuture<>();
		CompletableFuture<Void> running = this.opening.compareAndExchange(null, mine);
		if (running != null) {
			return running;
		}
		Thread thread = new Thread(() -> open(mine), "ratelimit-redis-connect");
		thread.setDaemon(true);
		thread.start();
		return mine;
	}

	private void open(CompletableFuture<Void> result) {
		Throwable failure = null;
		try {
			replace();
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.opening.set(null);
		if (failure == null) {
			result.complete(null);
		}
		else {
			result.completeExceptionally(failure);
		}
	}

	/**
	 * A connection to a cluster stays: it only has to learn where its slots are.
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

	private void broken(LettuceChannel broken) {
		if (this.channel == broken) {
			this.channel = null;
			this.whenBroken.run();
		}
		broken.close();
	}

	/**
	 * A call was sent on to another node of a cluster. Learn anew where the slots are,
	 * but not with each such call: a slot that moves redirects many.
	 */
	void redirected() {
		if (this.redirected.compareAndSet(false, true)) {
			open();
			CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> this.redirected.set(false));
		}
	}

	/**
	 * Close the connection for good, and wait for that: a client that is shut down
	 * meanwhile would close it once more.
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
