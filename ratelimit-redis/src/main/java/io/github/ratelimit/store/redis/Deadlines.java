package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Timer that ends queued and sent calls at their deadline. There is one timer for all
 * calls, set to the earliest deadline, so a call that is answered in time costs one read
 * of a boolean.
 *
 * <p>
 * Calls whose replies have arrived but are not read yet must not end. So a timer that
 * fires late, because this process could not run, checks again a moment later, twice at
 * most, since callers do not wait forever. Calls end only after the client has read all
 * arrived replies, or after {@link #GRACE}: at the next check, at most a {@link #MOMENT}
 * later.
 */
final class Deadlines {

	/** Time the client has to read replies that have arrived. */
	static final Duration GRACE = Duration.ofMillis(15);

	/** Largest delay of a timer that has not fired late. */
	static final long PUNCTUAL = TimeUnit.MILLISECONDS.toNanos(2);

	/** Time until the next check after a timer that fired late. */
	static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(10);

	/** Largest number of checks after timers that fired late. */
	static final int CHECKS = 2;

	/** Longest time from a deadline to the end of its call, apart from late timers. */
	static final Duration LONGEST = GRACE.plusNanos((1 + CHECKS) * MOMENT);

	/** Time before now at which no call that is left had its deadline. */
	private static final long LONG_AGO = Long.MAX_VALUE / 2;

	private final long timeout;

	private final LongSupplier clock;

	private final Scheduler timer;

	private final Consumer<Runnable> afterReading;

	private final Calls calls;

	private final AtomicBoolean set = new AtomicBoolean();

	private long due;

	private int checks = CHECKS;

	Deadlines(Duration timeout, LongSupplier clock, Scheduler timer, Consumer<Runnable> afterReading, Calls calls) {
		this.timeout = timeout.toNanos();
		this.clock = clock;
		this.timer = timer;
		this.afterReading = afterReading;
		this.calls = calls;
	}

	long next() {
		return this.clock.getAsLong() + this.timeout;
	}

	/** Watch the deadline of a call that is already among the {@link Calls}. */
	void watch(long deadline) {
		if (!this.set.get() && this.set.compareAndSet(false, true)) {
			setTo(deadline, this.clock.getAsLong());
		}
	}

	private void setTo(long time, long now) {
		this.due = time;
		try {
			this.timer.schedule(this::check, Math.max(0, time - now));
		}
		catch (Throwable ex) { // no timer, so the next call sets it
			this.set.set(false);
			throw ex;
		}
	}

	private void check() {
		long now = this.clock.getAsLong();
		if (now - this.due > PUNCTUAL && this.checks > 0) {
			this.checks--;
			setTo(now + MOMENT, now);
			return;
		}
		this.checks = CHECKS;
		boolean overdue = true;
		OptionalLong next = OptionalLong.empty();
		try {
			overdue = end(now);
			next = this.calls.earliest(now);
		}
		finally {
			setTo(next, now, overdue);
		}
	}

	/**
	 * End calls, and return whether some are overdue: the end of a call may send others
	 * whose time is over as well.
	 */
	private boolean end(long now) {
		this.calls.end(now - GRACE.toNanos());
		OptionalLong earliest = this.calls.earliest(now - LONG_AGO);
		boolean overdue = earliest.isPresent() && earliest.getAsLong() - now <= 0;
		if (overdue) {
			this.afterReading.accept(() -> this.calls.end(now));
		}
		return overdue;
	}

	/**
	 * A call that moves from one queue to another is in neither for a moment, so only
	 * their number shows that none is left.
	 */
	private void setTo(OptionalLong next, long now, boolean overdue) {
		boolean soon = overdue || next.isEmpty() && !this.calls.isEmpty();
		if (soon && (next.isEmpty() || next.getAsLong() - now > MOMENT)) {
			setTo(now + MOMENT, now);
		}
		else if (next.isPresent()) {
			setTo(next.getAsLong(), now);
		}
		else {
			this.set.set(false);
			if (!this.calls.isEmpty()) {
				watch(this.calls.earliest(now).orElse(now + MOMENT));
			}
		}
	}

	interface Calls {

		void end(long time);

		OptionalLong earliest(long time);

		/**
		 * Return whether no call is left, not even one that has ended and may still be
		 * replied to.
		 */
		boolean isEmpty();

	}

}
