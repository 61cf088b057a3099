package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Watch over the replies of a Redis server. It notices that the server is silent and a
 * script call has to be given up. Until then the script call counts as in flight, so a
 * slow Redis does not get more and more of them. If the server is slow but not silent,
 * the calls end earlier, by their {@link Deadlines}.
 *
 * <p>
 * On a busy machine a call may wait long to be sent, and its reply to be read, although
 * Redis is fast. Giving up such a call would count it twice: in Redis, and by the policy
 * for store failures. So Redis is not silent as long as other replies arrive. A timer
 * that fires late checks again as those of {@link Deadlines} do.
 */
final class ReplyWatch {

	private final long timeout;

	private final LongSupplier clock;

	private volatile long lastReply;

	ReplyWatch(Duration timeout) {
		this(timeout, System::nanoTime);
	}

	ReplyWatch(Duration timeout, LongSupplier clock) {
		this.timeout = timeout.toNanos();
		this.clock = clock;
		this.lastReply = clock.getAsLong();
	}

	/** Return the watch over another server, of which nothing is known yet. */
	ReplyWatch ofAnother() {
		return new ReplyWatch(Duration.ofNanos(this.timeout), this.clock);
	}

	void heard() {
		this.lastReply = this.clock.getAsLong();
	}

	/** Give up a reply when Redis has been silent for too long from now on. */
	void watch(CompletableFuture<byte[]> reply, Scheduler scheduler) {
		check(reply, scheduler, new Wait());
	}

	private void check(CompletableFuture<byte[]> reply, Scheduler scheduler, Wait wait) {
		if (reply.isDone()) {
			return;
		}
		long remaining = wait.remaining();
		if (remaining <= 0) {
			reply.completeExceptionally(new TimeoutException());
			return;
		}
		scheduler.schedule(() -> check(reply, scheduler, wait), remaining);
	}

	final class Wait {

		private final long start = ReplyWatch.this.clock.getAsLong();

		private long due = this.start + ReplyWatch.this.timeout;

		private int checks = Deadlines.CHECKS;

		/**
		 * Return how many nanoseconds to wait before the next check; none when it is time
		 * to give up.
		 */
		long remaining() {
			long now = ReplyWatch.this.clock.getAsLong();
			boolean late = now - this.due > Deadlines.PUNCTUAL;
			long heard = ReplyWatch.this.lastReply;
			long silentSince = (heard - this.start > 0) ? heard : this.start;
			long remaining = silentSince + ReplyWatch.this.timeout - now;
			if (remaining <= 0 && late && this.checks > 0) {
				this.checks--;
				remaining = Deadlines.MOMENT;
			}
			this.due = now + remaining;
			return remaining;
		}

	}

}
