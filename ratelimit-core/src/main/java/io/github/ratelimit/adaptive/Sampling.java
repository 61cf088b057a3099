package io.github.ratelimit.adaptive;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.RepeatedTask;

/**
 * Threads that read signals: one begins each round, others read, so that a signal that
 * hangs delays no other. There are no threads before the first signal and after closing.
 */
final class Sampling implements AutoCloseable {

	static final String THREAD_NAME = "ratelimit-load";

	private static final long KEPT_SECONDS = 60;

	private final Duration interval;

	private final Duration patience;

	private @Nullable RepeatedTask rounds;

	/** That of the thread which needs signals first. Those of an application need it. */
	private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

	private final ThreadPoolExecutor readers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEPT_SECONDS,
			TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread, new ThreadPoolExecutor.DiscardPolicy());

	/** Create an instance that pauses between rounds, and awaits a reading so long. */
	Sampling(Duration interval, Duration patience) {
		this.interval = interval;
		this.patience = patience;
	}

	private Thread thread(Runnable task) {
		Thread thread = new Thread(task, THREAD_NAME);
		thread.setContextClassLoader(this.loader);
		thread.setDaemon(true);
		return thread;
	}

	/** Start to repeat a round, unless it is repeated already. */
	synchronized void repeat(Runnable round) {
		if (this.rounds == null && !this.readers.isShutdown()) {
			this.rounds = new RepeatedTask(THREAD_NAME, this.interval, () -> {
				round.run();
				return true;
			});
			this.rounds.wake();
		}
	}

	/** Start a reading, which may hang. Does nothing after closing. */
	void read(Runnable reading) {
		this.readers.execute(reading);
	}

	/** Start a reading, which may hang, and return whether it finished in time. */
	boolean await(Runnable reading) {
		if (this.readers.isShutdown()) {
			return false;
		}
		CountDownLatch done = new CountDownLatch(1);
		read(() -> {
			reading.run();
			done.countDown();
		});
		try {
			return done.await(TimeUnit.NANOSECONDS.convert(this.patience), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	@Override
	public synchronized void close() {
		if (this.rounds != null) {
			this.rounds.close();
		}
		this.readers.shutdownNow();
	}

}
