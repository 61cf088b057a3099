package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleValue;
import org.jspecify.annotations.Nullable;

/**
 * Setup of a store in Redis: what all its parts share. They read its fields, since a
 * method is a step of every call.
 */
final class RedisSetup {

	/** The number of this instance among all instances. */
	final long instance = ThreadLocalRandom.current().nextLong(1L << 52);

	final ScriptRunner runner;

	final Sharding sharding;

	final RedisKeys keys;

	final RuleValue<EncodedCounts> encoded;

	final RedisFailures failures;

	final LongSupplier clock;

	final CallerClock callerClock;

	final LongSupplier localClock;

	final Scheduler timer;

	volatile RemoteStore.@Nullable Events events;

	/** Create a setup with the clocks of this process. */
	RedisSetup(ScriptRunner runner, String keyPrefix, Duration timeout, RedisSharding sharding, LongSupplier clock) {
		this(runner, keyPrefix, timeout, sharding, clock, CallerClock.of(clock), System::nanoTime,
				Scheduler::onTimerThread);
	}

	/**
	 * Create a setup.
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 * @param callerClock the clock that the edges of calendars are chosen by
	 * @param localClock the time of this process in nanoseconds, for units that it holds
	 * @param timer schedules the end of that
	 */
	RedisSetup(ScriptRunner runner, String keyPrefix, Duration timeout, RedisSharding sharding, LongSupplier clock,
			CallerClock callerClock, LongSupplier localClock, Scheduler timer) {
		this.runner = runner;
		this.sharding = new Sharding(runner, keyPrefix, sharding);
		this.keys = new RedisKeys(keyPrefix, this.sharding::reach);
		this.encoded = this.keys.encoded(callerClock, this.instance);
		this.failures = new RedisFailures(runner, timeout);
		this.clock = clock;
		this.callerClock = callerClock;
		this.localClock = localClock;
		this.timer = timer;
	}

}
