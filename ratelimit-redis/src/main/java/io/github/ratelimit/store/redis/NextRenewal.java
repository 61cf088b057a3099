package io.github.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Time of the next renewal of leases. Only an earlier one takes its place.
 */
final class NextRenewal {

	private final AtomicReference<@Nullable Planned> next = new AtomicReference<>();

	private final Runnable renewal;

	private final LongSupplier clock;

	private final Scheduler timer;

	/**
	 * Create an instance without a renewal.
	 * @param clock the time in nanoseconds
	 * @param timer schedules renewals
	 */
	NextRenewal(Runnable renewal, LongSupplier clock, Scheduler timer) {
		this.renewal = renewal;
		this.clock = clock;
		this.timer = timer;
	}

	/**
	 * Renew within some time.
	 */
	void within(long nanos) {
		long due = this.clock.getAsLong() + nanos;
		Planned planned = this.next.get();
		while (planned == null || planned.due - due > 0) {
			Planned earlier = new Planned(due);
			if (this.next.compareAndSet(planned, earlier)) {
				this.timer.schedule(earlier, nanos);
				return;
			}
			planned = this.next.get();
		}
	}

	/**
	 * Renewal that does nothing if an earlier one has taken its place.
	 */
	private final class Planned implements Runnable {

		private final long due;

		Planned(long due) {
			this.due = due;
		}

		@Override
		public void run() {
			if (NextRenewal.this.next.compareAndSet(this, null)) {
				NextRenewal.this.renewal.run();
			}
		}

	}

}
