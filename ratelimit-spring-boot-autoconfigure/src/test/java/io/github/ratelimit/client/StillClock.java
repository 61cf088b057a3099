package io.github.ratelimit.client;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.local.LocalClock;

/**
 * Clock of a test, for counters and dates alike.
 *
 * @param micros the time
 */
record StillClock(AtomicLong micros) implements LocalClock {

	@Override
	public long getAsLong() {
		return this.micros.get();
	}

	@Override
	public Clock timeOfDay() {
		return Clock.fixed(Instant.EPOCH.plus(getAsLong(), ChronoUnit.MICROS), ZoneOffset.UTC);
	}

}
