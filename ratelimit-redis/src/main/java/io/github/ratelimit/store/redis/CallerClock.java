package io.github.ratelimit.store.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Time of the Redis server as this process estimates it: by its own clock, until a reply
 * shows that this clock is wrong. Times are microseconds.
 */
final class CallerClock {

	private final LongSupplier clock;

	private volatile long behind;

	CallerClock(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * @param given the time that scripts use instead of that of the server; 0 for none
	 */
	static CallerClock of(LongSupplier given) {
		return new CallerClock(() -> {
			long time = given.getAsLong();
			return (time != 0) ? time : TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
		});
	}

	long now() {
		return this.clock.getAsLong() + this.behind;
	}

	void set(long serverTime) {
		this.behind = serverTime - this.clock.getAsLong();
	}

}
