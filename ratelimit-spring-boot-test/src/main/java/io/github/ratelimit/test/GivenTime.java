package io.github.ratelimit.test;

import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;

import io.github.ratelimit.store.local.LocalClock;

/** Time of the {@link RateLimitClock} for the limiter and for the dates that it shows. */
record GivenTime(RateLimitClock clock) implements LocalClock {

	@Override
	public long getAsLong() {
		return this.clock.micros();
	}

	@Override
	public Clock timeOfDay() {
		InstantSource source = this.clock::instant;
		return source.withZone(ZoneOffset.UTC);
	}

}
