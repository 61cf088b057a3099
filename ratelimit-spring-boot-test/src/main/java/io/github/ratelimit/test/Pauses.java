package io.github.ratelimit.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Real time between turns, as opposed to the time of the {@link RateLimitClock}. */
interface Pauses {

	Pauses REAL = new Pauses() {

		@Override
		public long nanos() {
			return System.nanoTime();
		}

		@Override
		public void after(Duration pause, Runnable task) {
			CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS).execute(task);
		}

	};

	/** Return the time in nanoseconds, from an arbitrary origin. */
	long nanos();

	void after(Duration pause, Runnable task);

}
