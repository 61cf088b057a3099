package io.github.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads of a load that make calls until it ends.
 */
final class LoadThreads {

	private final List<Thread> threads = new ArrayList<>();

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
		while (!this.ended) {
			call.run();
		}
	}

	/**
	 * Stop calling, and wait until all calls have ended.
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
