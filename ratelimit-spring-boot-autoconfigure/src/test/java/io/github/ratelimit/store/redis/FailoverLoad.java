package io.github.ratelimit.store.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.store.Demand;

/**
 * Thread that calls an engine all the time, with the times of answers and failures.
 */
final class FailoverLoad implements AutoCloseable {

	private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(200);

	private final Queue<Long> admitted = new ConcurrentLinkedQueue<>();

	private final Queue<Long> failed = new ConcurrentLinkedQueue<>();

	private final RateLimitEngine engine;

	private final Demand demand;

	private final Thread thread = new Thread(this::run, "load");

	private volatile boolean stopped;

	FailoverLoad(RateLimitEngine engine, Demand demand) {
		this.engine = engine;
		this.demand = demand;
		this.thread.start();
	}

	private void run() {
		while (!this.stopped) {
			try {
				if (this.engine.acquire(this.demand).decision().allowed()) {
					this.admitted.add(System.nanoTime());
				}
			}
			catch (RateLimiterUnavailableException ex) {
				this.failed.add(System.nanoTime());
			}
			LockSupport.parkNanos(PAUSE);
		}
	}

	long admitted() {
		return this.admitted.size();
	}

	long failed() {
		return this.failed.size();
	}

	long admittedBetween(long from, long to) {
		return this.admitted.stream().filter((time) -> time - from >= 0 && time - to <= 0).count();
	}

	/**
	 * Return the time from the first failure after a time to the last.
	 */
	long failedMillisAfter(long time) {
		long first = this.failed.stream().mapToLong(Long::longValue).filter((at) -> at - time >= 0).min().orElse(0);
		long last = this.failed.stream().mapToLong(Long::longValue).filter((at) -> at - time >= 0).max().orElse(0);
		return TimeUnit.NANOSECONDS.toMillis(last - first);
	}

	@Override
	public void close() {
		this.stopped = true;
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
