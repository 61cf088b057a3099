package io.github.ratelimit.test;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.github.ratelimit.store.local.LocalClock;

/**
 * Time of the {@link RateLimitClock} for the limiter and for the dates that it shows.
 */
final class GivenTime implements LocalClock {

	private final RateLimitClock clock;

	GivenTime(RateLimitClock clock) {
		this.clock = clock;
	}

	@Override
	public long getAsLong() {
		return this.clock.micros();
	}

	@Override
	public Clock timeOfDay() {
		return new TimeOfDay(this.clock, ZoneOffset.UTC);
	}

	private static final class TimeOfDay extends Clock {

		private final RateLimitClock clock;

		private final ZoneId zone;

		TimeOfDay(RateLimitClock clock, ZoneId zone) {
			this.clock = clock;
			this.zone = zone;
		}

		@Override
		public ZoneId getZone() {
			return this.zone;
		}

		@Override
		public Clock withZone(ZoneId other) {
			return new TimeOfDay(this.clock, other);
		}

		@Override
		public Instant instant() {
			return this.clock.instant();
		}

	}

}
