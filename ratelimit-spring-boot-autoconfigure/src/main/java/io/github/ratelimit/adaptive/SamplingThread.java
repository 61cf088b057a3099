package io.github.ratelimit.adaptive;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one thread on which signals are read. There is none before the first signal, nor
 * after it is closed.
 */
final class SamplingThread implements AutoCloseable {

	static final String NAME = "ratelimit-load";

	private final Duration interval;

	private final Duration patience;

	private final AtomicBoolean started = new AtomicBoolean();

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, NAME);
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * Create a new thread, not started.
	 * @param interval how long it pauses between two samples
	 * @param patience how long others wait for it
	 */
	SamplingThread(Duration interval, Duration patience) {
		this.interval = interval;
		this.patience = patience;
	}

	/**
	 * Repeat something from now on, unless this already happens.
	 */
	void repeat(Runnable sampling) {
		if (!this.executor.isShutdown() && this.started.compareAndSet(false, true)) {
			long pause = TimeUnit.NANOSECONDS.convert(this.interval);
			this.executor.scheduleWithFixedDelay(sampling, pause, pause, TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Do something and wait for it.
	 * @return whether it was done in time
	 */
	boolean await(Runnable first) {
		if (this.executor.isShutdown()) {
			return false;
		}
		try {
			this.executor.submit(first).get(TimeUnit.NANOSECONDS.convert(this.patience), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
