package io.github.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads of a load that make calls until it ends.
 */
final class LoadThreads {

	private final List<Thread> threads = new ArrayList<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private volatile boolean ended;

	/**
	 * Start threads.
	 * @param call makes one call
	 */
	void start(int number, Runnable call) {
		for (int i = 0; i < number; i++) {
			Thread thread = new Thread(() -> run(call), "load-" + this.threads.size());
			thread.start();
			this.threads.add(thread);
		}
	}

	private void run(Runnable call) {
		try {
			while (!this.ended) {
				call.run();
			}
		}
		catch (Throwable ex) {
			this.failures.add(ex);
		}
	}

	/**
	 * Stop calling, wait until all calls have ended, and expect that none has failed.
	 */
	void end() {
		this.ended = true;
		try {
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		assertThat(this.failures).isEmpty();
	}

	static void pause(int millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
