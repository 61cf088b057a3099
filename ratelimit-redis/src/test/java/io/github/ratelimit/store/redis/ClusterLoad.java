package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.store.Demands;

/**
 * Threads that call an engine for the same units until the load ends. Calls that the
 * engine allows because the store failed do not count as admitted.
 */
final class ClusterLoad implements AutoCloseable {

	private final RateLimitEngine engine;

	private final LoadThreads threads = new LoadThreads();

	private final AtomicLong admitted = new AtomicLong();

	private final AtomicLong denied = new AtomicLong();

	private final AtomicLong unanswered = new AtomicLong();

	private final AtomicLong lastUnanswered = new AtomicLong();

	private volatile long slowest;

	ClusterLoad(RedisRateLimitStore store, int threads, Supplier<? extends Demands> demands) {
		this.engine = engine(store);
		this.engine.start();
		this.threads.start(threads, () -> run(demands));
	}

	static RateLimitEngine engine(RedisRateLimitStore store) {
		return Engines.over(store, OnStoreFailure.ALLOW);
	}

	private void run(Supplier<? extends Demands> demands) {
		long start = System.nanoTime();
		Decision decision = this.engine.acquire(demands.get()).decision();
		this.slowest = Math.max(this.slowest, System.nanoTime() - start);
		if (decision.origin() != Decision.Origin.REDIS) {
			this.unanswered.incrementAndGet();
			this.lastUnanswered.set(System.nanoTime());
			LoadThreads.pause(1); // an open circuit answers very often
		}
		else {
			(decision.allowed() ? this.admitted : this.denied).incrementAndGet();
		}
	}

	long admitted() {
		return this.admitted.get();
	}

	long denied() {
		return this.denied.get();
	}

	long answered() {
		return admitted() + denied();
	}

	long unanswered() {
		return this.unanswered.get();
	}

	/**
	 * Return the time of the last call that the store did not answer, as
	 * {@code nanoTime}.
	 */
	long lastUnanswered() {
		return this.lastUnanswered.get();
	}

	Duration slowest() {
		return Duration.ofNanos(this.slowest);
	}

	@Override
	public void close() {
		try (this.engine) {
			end();
		}
	}

	/**
	 * Stop calling, and wait for the answers.
	 */
	void end() {
		this.threads.end();
	}

}
