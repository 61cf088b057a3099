package io.github.ratelimit.autoconfigure;

import java.util.function.Consumer;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;

import org.springframework.context.SmartLifecycle;

/**
 * Work of a store in Redis when the application is stopped, and when it is started again.
 */
final class StoreLifecycle implements SmartLifecycle {

	private final RateLimitStore store;

	private final int phase;

	private final Consumer<RedisRateLimitStore> whenStopped;

	private final Consumer<RedisRateLimitStore> whenStartedAgain;

	private volatile boolean running;

	private volatile boolean stopped;

	StoreLifecycle(RateLimitStore store, int phase, Consumer<RedisRateLimitStore> whenStopped,
			Consumer<RedisRateLimitStore> whenStartedAgain) {
		this.store = store;
		this.phase = phase;
		this.whenStopped = whenStopped;
		this.whenStartedAgain = whenStartedAgain;
	}

	@Override
	public void start() {
		this.running = true;
		if (this.stopped && this.store instanceof RedisRateLimitStore redis) {
			this.whenStartedAgain.accept(redis);
		}
		this.stopped = false;
	}

	@Override
	public void stop() {
		this.running = false;
		this.stopped = true;
		if (this.store instanceof RedisRateLimitStore redis) {
			this.whenStopped.accept(redis);
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
