package io.github.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.StoreAnswer;

/**
 * Wait of admitted calls for their turn. In an application it takes real time; a test
 * advances the clock of its store instead.
 *
 * @since 0.1.0
 */
public interface CallDelay {

	/**
	 * Wait by the clock of the computer.
	 */
	CallDelay REAL_TIME = new CallDelay() {

		@Override
		public void await(StoreAnswer answer) throws InterruptedException {
			TimeUnit.MICROSECONDS.sleep(answer.delay());
		}

		@Override
		public CompletableFuture<Void> awaitAsync(StoreAnswer answer) {
			return new CompletableFuture<Void>().completeOnTimeout(null, answer.delay(), TimeUnit.MICROSECONDS);
		}

	};

	/**
	 * Wait until the turn of a call has come.
	 * @param answer the answer to the call, which has a delay
	 * @throws InterruptedException if the thread is interrupted
	 */
	void await(StoreAnswer answer) throws InterruptedException;

	/**
	 * Wait without blocking the caller until the turn of a call has come.
	 * @param answer the answer to the call, which has a delay
	 * @return when the turn has come
	 */
	CompletableFuture<Void> awaitAsync(StoreAnswer answer);

}
