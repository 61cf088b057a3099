package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Dedicated Lettuce connection, opened with the client of the application. No command of
 * the application delays a decision, and a broken connection can be closed before Lettuce
 * reconnects and resends unanswered calls. Opening may block, so it runs on a thread of
 * its own. An attempt that takes too long is abandoned, but not canceled, because a
 * client that tries one sentinel after the other may need it: it is used if it succeeds
 * first after all, but another one may begin. A replaced connection stays open for one
 * timeout, since calls that were given up may still be answered on it.
 */
final class LettuceLink {

	private final Function<@Nullable LettuceChannel, CompletableFuture<LettuceChannel>> connect;

	private final Duration longest;

	private final Duration timeout;

	private final Runnable whenBroken;

	private final Executor thread;

	private final AtomicReference<@Nullable CompletableFuture<Void>> opening = new AtomicReference<>();

	private final AtomicReference<@Nullable LettuceChannel> channel = new AtomicReference<>();

	private final AtomicBoolean refreshing = new AtomicBoolean();

	/** When the topology was read after a redirected call, or before any. */
	private volatile long refreshed = System.nanoTime() - LettuceConnector.TOPOLOGY_PAUSE;

	private volatile boolean closed;

	/**
	 * @param connect opens the connection that replaces a given one, or returns that one
	 * if it stays
	 * @param longest how long an attempt to connect is waited for
	 * @param timeout how long a call waits for its reply
	 * @param thread runs attempts to connect, which may block
	 */
	LettuceLink(Function<@Nullable LettuceChannel, CompletableFuture<LettuceChannel>> connect, Duration longest,
			Duration timeout, Runnable whenBroken, Executor thread) {
		this.connect = connect;
		this.longest = longest;
		this.timeout = timeout;
		this.whenBroken = whenBroken;
		this.thread = thread;
	}

	/** Return the open connection, {@code null} if there is none at the moment. */
	@Nullable LettuceChannel channel() {
		return this.channel.get();
	}

	/**
	 * Open a connection that replaces the current one, unless one is being opened
	 * already.
	 */
	CompletableFuture<Void> open() {
		if (this.closed) {
			return CompletableFuture.failedFuture(RedisFailures.STOPPED);
		}
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

	/**
	 * Wait for an attempt, so that what follows may block. Resolving the name of a server
	 * may take longer than an attempt is waited for.
	 */
	private void open(CompletableFuture<Void> result) {
		Throwable failure = null;
		try {
			Scheduler.onTimerThread(() -> opened(result, new TimeoutException()), this.longest.toNanos());
			replace(this.channel.get()).get(this.longest.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (Throwable ex) {
			failure = (ex instanceof ExecutionException && ex.getCause() != null) ? ex.getCause() : ex;
		}
		opened(result, failure);
	}

	private void opened(CompletableFuture<Void> result, @Nullable Throwable failure) {
		this.opening.compareAndSet(result, null);
		if (failure == null) {
			result.complete(null);
		}
		else if (failure instanceof TimeoutException) {
			result.completeExceptionally(
					new RedisConnectionFailureException("not connected within " + this.longest.toMillis() + " ms"));
		}
		else {
			result.completeExceptionally(failure);
		}
	}

	private CompletableFuture<Void> replace(@Nullable LettuceChannel old) {
		return this.connect.apply(old).thenAccept((current) -> {
			if (current != old) {
				replace(old, current);
			}
		});
	}

	/** Use a connection, unless another attempt was faster. */
	private void replace(@Nullable LettuceChannel old, LettuceChannel fresh) {
		fresh.whenBroken(() -> broken(fresh));
		if (!this.channel.compareAndSet(old, fresh) && !this.channel.compareAndSet(null, fresh)) {
			fresh.close();
		}
		else if (old != null) {
			Scheduler.onTimerThread(old::close, this.timeout.toNanos());
		}
		if (this.closed) {
			closeChannel();
			throw RedisFailures.STOPPED;
		}
	}

	void broken(LettuceChannel broken) {
		if (this.channel.compareAndSet(broken, null)) {
			this.whenBroken.run();
		}
		broken.close();
	}

	/**
	 * Refresh the topology after a redirected call, at most once per second: a hash slot
	 * in migration redirects many calls. The second begins when the topology was read,
	 * since {@link LettuceConnector} counts one from before and would not read it again.
	 */
	void redirected() {
		if (System.nanoTime() - this.refreshed >= LettuceConnector.TOPOLOGY_PAUSE
				&& this.refreshing.compareAndSet(false, true)) {
			open().whenComplete((read, failure) -> {
				this.refreshed = System.nanoTime();
				this.refreshing.set(false);
			});
		}
	}

	void reopen() {
		this.closed = false;
	}

	/**
	 * Close the connection, open none from now on, and wait until it is closed: a client
	 * that is shut down in the meantime would close it twice.
	 */
	void close() {
		this.closed = true;
		closeChannel().completeOnTimeout(null, 1, TimeUnit.SECONDS).exceptionally((failure) -> null).join();
	}

	private CompletableFuture<Void> closeChannel() {
		LettuceChannel open = this.channel.getAndSet(null);
		return (open != null) ? open.close() : CompletableFuture.completedFuture(null);
	}

}
