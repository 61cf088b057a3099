package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives a reply up when Redis has been silent for the time-out. As long as other replies
 * come in, Redis is not silent: on a busy machine a call may wait long for its turn while
 * Redis is as quick as ever, and to give it up would count it twice, in Redis and by the
 * policy for a store that cannot answer. A timer that comes late tells as much, so it
 * looks again a moment later. A Redis that hangs is silent from the moment it does.
 */
final class SilenceTimer {

	private static final long PUNCTUAL = TimeUnit.MILLISECONDS.toNanos(2);

	private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(20);

	private final long timeout;

	private volatile long lastReply = System.nanoTime();

	SilenceTimer(Duration timeout) {
		this.timeout = timeout.toNanos();
	}

	/**
	 * Watch a reply.
	 */
	void watch(CompletableFuture<byte[]> reply) {
		reply.thenRun(() -> this.lastReply = System.nanoTime());
		schedule(reply, System.nanoTime(), this.timeout);
	}

	private void schedule(CompletableFuture<byte[]> reply, long start, long delay) {
		long due = System.nanoTime() + delay;
		CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, Runnable::run)
			.execute(() -> check(reply, start, due));
	}

	private void check(CompletableFuture<byte[]> reply, long start, long due) {
		if (reply.isDone()) {
			return;
		}
		long now = System.nanoTime();
		long silentSince = (this.lastReply - start > 0) ? this.lastReply : start;
		long remaining = silentSince + this.timeout - now;
		if (remaining > 0) {
			schedule(reply, start, remaining);
		}
		else if (now - due > PUNCTUAL) {
			schedule(reply, start, MOMENT);
		}
		else {
			reply.completeExceptionally(new TimeoutException());
		}
	}

}
