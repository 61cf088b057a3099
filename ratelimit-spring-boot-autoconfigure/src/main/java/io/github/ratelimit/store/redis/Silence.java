package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a Redis server has been silent, which decides when a script call is given up.
 * The calls that it decides end earlier, by their {@link Deadlines}, if the server is
 * slow without being silent.
 *
 * <p>
 * On a busy machine a call may wait long for its turn, and its reply to be read, while
 * Redis is as quick as ever. To give such a call up would count it twice: in Redis, and
 * by the policy for a store that cannot answer. So as long as other replies come in,
 * Redis is not silent; and a timer that comes late tells that this process could not
 * listen, so it looks again a moment later, twice at most: a caller's patience ends, too.
 * A Redis that hangs is silent from the moment it does.
 */
final class Silence {

	/**
	 * When to look again after a timer that came late.
	 */
	private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int LOOKS = 2;

	private static final long PUNCTUAL = TimeUnit.MILLISECONDS.toNanos(2);

	private final long timeout;

	private final LongSupplier clock;

	private volatile long lastReply;

	Silence(Duration timeout) {
		this(timeout, System::nanoTime);
	}

	/**
	 * Create a new silence.
	 * @param clock the time in nanoseconds
	 */
	Silence(Duration timeout, LongSupplier clock) {
		this.timeout = timeout.toNanos();
		this.clock = clock;
		this.lastReply = clock.getAsLong();
	}

	/**
	 * That of another server, of which nothing is known yet.
	 */
	Silence ofAnother() {
		return new Silence(Duration.ofNanos(this.timeout), this.clock);
	}

	/**
	 * A reply came in.
	 */
	void end() {
		this.lastReply = this.clock.getAsLong();
	}

	/**
	 * Begin to wait for a reply.
	 */
	Wait begin() {
		return new Wait();
	}

	/**
	 * Waiting for one reply.
	 */
	final class Wait {

		private final long start = Silence.this.clock.getAsLong();

		private long due = this.start + Silence.this.timeout;

		private int looks = LOOKS;

		/**
		 * How long to wait before asking again.
		 * @return nanoseconds; nothing or less when it is time to give up
		 */
		long remaining() {
			long now = Silence.this.clock.getAsLong();
			boolean late = now - this.due > PUNCTUAL;
			long heard = Silence.this.lastReply;
			long silentSince = (heard - this.start > 0) ? heard : this.start;
			long remaining = silentSince + Silence.this.timeout - now;
			if (remaining <= 0 && late && this.looks > 0) {
				this.looks--;
				remaining = MOMENT;
			}
			this.due = now + remaining;
			return remaining;
		}

	}

}
