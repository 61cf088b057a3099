package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;
import org.springframework.context.SmartLifecycle;

/**
 * Connection of the store, closed while the application is stopped or paused. It is
 * opened after the connection factory has started, and before anything calls the limiter.
 * It is closed before the client is shut down, which would close some connections twice.
 */
final class StoreConnection implements SmartLifecycle {

	private final RateLimitStore store;

	private final RateLimitEngine engine;

	private volatile boolean running;

	private volatile boolean paused;

	StoreConnection(RateLimitStore store, RateLimitEngine engine) {
		this.store = store;
		this.engine = engine;
	}

	/**
	 * Connect again if the application was stopped before.
	 */
	@Override
	public void start() {
		this.running = true;
		if (this.paused && this.store instanceof RedisRateLimitStore redis) {
			redis.resume();
			this.engine.start();
		}
		this.paused = false;
	}

	@Override
	public void stop() {
		this.running = false;
		this.paused = true;
		if (this.store instanceof RedisRateLimitStore redis) {
			redis.pause();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Return the phase after that of connection factories, which is 0 unless the
	 * application changes it.
	 */
	@Override
	public int getPhase() {
		return 1;
	}

}
