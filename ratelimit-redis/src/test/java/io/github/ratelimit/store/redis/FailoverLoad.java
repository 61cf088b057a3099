package io.github.ratelimit.store.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.ratelimit.Decision;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.store.Demand;

/**
 * Thread that calls an engine all the time, with the times of admissions and of calls
 * that Redis did not answer.
 */
final class FailoverLoad implements AutoCloseable {

	private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(200);

	private final Queue<Long> admitted = new ConcurrentLinkedQueue<>();

	private final Queue<Long> answered = new ConcurrentLinkedQueue<>();

	private final Queue<Long> unanswered = new ConcurrentLinkedQueue<>();

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
			Decision decision = this.engine.acquire(this.demand).decision();
			if (decision.allowed()) {
				this.admitted.add(System.nanoTime());
			}
			((decision.origin() == Decision.Origin.REDIS) ? this.answered : this.unanswered).add(System.nanoTime());
			LockSupport.parkNanos(PAUSE);
		}
	}

	long admitted() {
		return this.admitted.size();
	}

	long unanswered() {
		return this.unanswered.size();
	}

	long admittedBetween(long from, long to) {
		return this.admitted.stream().filter((time) -> time - from >= 0 && time - to <= 0).count();
	}

	long answeredAfter(long time) {
		return this.answered.stream().filter((at) -> at - time >= 0).count();
	}

	/**
	 * Return the longest time without an answer of Redis.
	 */
	long longestSilenceMillis() {
		long longest = 0;
		long last = this.answered.element();
		for (long answer : this.answered) {
			longest = Math.max(longest, answer - last);
			last = answer;
		}
		return TimeUnit.NANOSECONDS.toMillis(longest);
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
