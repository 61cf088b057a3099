package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;
import org.springframework.context.SmartLifecycle;

/**
 * Refund of the units that this instance holds when the application stops: after the web
 * server, and before connections to Redis are stopped.
 */
final class HeldUnitsRefund implements SmartLifecycle {

	private final RateLimitStore store;

	private volatile boolean running;

	HeldUnitsRefund(RateLimitStore store) {
		this.store = store;
	}

	/**
	 * Hold units again if the application was stopped before.
	 */
	@Override
	public void start() {
		this.running = true;
		if (this.store instanceof RedisRateLimitStore redis) {
			redis.holdUnits();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		if (this.store instanceof RedisRateLimitStore redis) {
			redis.refundHeldUnits();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return DEFAULT_PHASE / 2;
	}

}
