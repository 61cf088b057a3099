package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;

import org.springframework.context.SmartLifecycle;

/**
 * Connection of the store, closed while the application is stopped or paused. It is
 * opened after the connection factory has started, whose phase is 0 unless the
 * application changes it, and before anything calls the limiter. It is closed before the
 * client is shut down, which would close some connections twice.
 */
class StoreLifecycle implements SmartLifecycle {

	private final RateLimitStore store;

	private final RateLimitEngine engine;

	private volatile boolean running;

	private volatile boolean stopped;

	StoreLifecycle(RateLimitStore store, RateLimitEngine engine) {
		this.store = store;
		this.engine = engine;
	}

	@Override
	public final void start() {
		this.running = true;
		if (this.stopped && this.store instanceof RedisRateLimitStore redis) {
			startAgain(redis);
		}
		this.stopped = false;
	}

	void startAgain(RedisRateLimitStore redis) {
		redis.resume();
		this.engine.start();
	}

	@Override
	public final void stop() {
		this.running = false;
		this.stopped = true;
		if (this.store instanceof RedisRateLimitStore redis) {
			stop(redis);
		}
	}

	void stop(RedisRateLimitStore redis) {
		redis.pause();
	}

	@Override
	public final boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return 1;
	}

	/**
	 * Units that this instance holds, refunded after the web server, and before
	 * connections to Redis are stopped.
	 */
	static final class OfHeldUnits extends StoreLifecycle {

		OfHeldUnits(RateLimitStore store, RateLimitEngine engine) {
			super(store, engine);
		}

		@Override
		void startAgain(RedisRateLimitStore redis) {
			redis.holdUnits();
		}

		@Override
		void stop(RedisRateLimitStore redis) {
			redis.refundHeldUnits();
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE / 2;
		}

	}

}
