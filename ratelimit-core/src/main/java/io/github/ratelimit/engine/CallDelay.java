package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.StoreAnswer;

/**
 * Wait of admitted calls for their turn, and of denied ones for the end of a block. In an
 * application it takes real time; a test advances the clock of its store instead.
 *
 * @since 0.1.0
 */
public interface CallDelay {

	/** Wait by the clock of the computer. */
	CallDelay REAL_TIME = new CallDelay() {

		@Override
		public void await(Duration time) throws InterruptedException {
			TimeUnit.NANOSECONDS.sleep(time.toNanos());
		}

		@Override
		public CompletableFuture<Void> awaitAsync(Duration time) {
			return new CompletableFuture<Void>().completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS);
		}

	};

	/**
	 * Wait until the turn of a call has come.
	 * @throws InterruptedException if the thread is interrupted
	 */
	default void await(StoreAnswer answer) throws InterruptedException {
		await(Duration.of(answer.delay(), ChronoUnit.MICROS));
	}

	/**
	 * Wait without blocking the caller until the turn of a call has come.
	 * @return a future that completes when the turn has come
	 */
	default CompletableFuture<Void> awaitAsync(StoreAnswer answer) {
		return awaitAsync(Duration.of(answer.delay(), ChronoUnit.MICROS));
	}

	/**
	 * Wait from now on for a time that no store has decided.
	 * @throws InterruptedException if the thread is interrupted
	 */
	void await(Duration time) throws InterruptedException;

	/**
	 * Wait from now on for a time that no store has decided, without blocking the caller.
	 */
	CompletableFuture<Void> awaitAsync(Duration time);

}
