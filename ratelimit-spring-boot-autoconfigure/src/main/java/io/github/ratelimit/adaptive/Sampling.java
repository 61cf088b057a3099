package io.github.ratelimit.adaptive;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads on which signals are read: one begins each round, others read, so that a signal
 * that hangs holds up none but itself. There are none before the first signal, nor after
 * it is closed.
 */
final class Sampling implements AutoCloseable {

	static final String THREAD_NAME = "ratelimit-load";

	private static final long KEPT_SECONDS = 60;

	private final Duration interval;

	private final Duration patience;

	private final AtomicBoolean started = new AtomicBoolean();

	private final ScheduledThreadPoolExecutor rounds = new ScheduledThreadPoolExecutor(1, Sampling::thread);

	private final ThreadPoolExecutor readers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEPT_SECONDS,
			TimeUnit.SECONDS, new SynchronousQueue<>(), Sampling::thread, new ThreadPoolExecutor.DiscardPolicy());

	/**
	 * Create a new instance without threads.
	 * @param interval how long the pause between two rounds is
	 * @param patience how long others wait for a signal
	 */
	Sampling(Duration interval, Duration patience) {
		this.interval = interval;
		this.patience = patience;
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, THREAD_NAME);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Repeat something from now on, unless this already happens.
	 */
	void repeat(Runnable round) {
		if (!this.rounds.isShutdown() && this.started.compareAndSet(false, true)) {
			long pause = TimeUnit.NANOSECONDS.convert(this.interval);
			this.rounds.scheduleWithFixedDelay(round, pause, pause, TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Do something that may hang. Nothing is done any more after it is closed.
	 */
	void read(Runnable reading) {
		this.readers.execute(reading);
	}

	/**
	 * Do something that may hang and wait for it.
	 * @return whether it was done in time
	 */
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
	public void close() {
		this.rounds.shutdownNow();
		this.readers.shutdownNow();
	}

}
