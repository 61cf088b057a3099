package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clock by which calls are limited in tests. It begins each test method at the real time,
 * in whole milliseconds, and stands still until it is moved: by the test, or by a call
 * that waits for its turn. Thread-safe; its unit is the microsecond.
 *
 * @since 0.1.0
 */
public final class RateLimitClock {

	/** Last time that all algorithms can count by, some 285 years after 1970. */
	private static final Instant LAST = Instant.EPOCH.plus((1L << 53) - 1, ChronoUnit.MICROS);

	private final AtomicLong micros = new AtomicLong();

	private volatile Runnable whenMoved = () -> {
	};

	RateLimitClock() {
		startAnew();
	}

	/**
	 * Return the time.
	 * @return the time of the next call
	 */
	public Instant instant() {
		return Instant.EPOCH.plus(micros(), ChronoUnit.MICROS);
	}

	/**
	 * Move the clock forward.
	 * @param duration how far, zero or more; {@code advance(decision.retryAfter())} moves
	 * it to the time from which the call is admitted
	 * @throws IllegalArgumentException if the duration is negative or too long
	 */
	public void advance(Duration duration) {
		Objects.requireNonNull(duration, "The duration must not be null");
		if (duration.isNegative()) {
			throw new IllegalArgumentException("The clock cannot advance by " + duration
					+ ", which is negative. To set it back, use set(clock.instant().minus(…)).");
		}
		if (duration.compareTo(Duration.between(Instant.EPOCH, LAST)) > 0) {
			throw new IllegalArgumentException(
					"The clock cannot advance by " + duration + ". A call that is never admitted has no such time.");
		}
		long step = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(duration));
		this.micros.updateAndGet((now) -> checked(Instant.EPOCH.plus(now + step, ChronoUnit.MICROS)));
		this.whenMoved.run();
	}

	/**
	 * Set the clock. Setting it back does not undo counts: units that were taken at a
	 * later time still count, as if the clock of Redis were set back. So nothing is
	 * granted twice, and a key is locked out for one period at most.
	 * @param instant the time, from 1970 on
	 * @throws IllegalArgumentException if no algorithm can count by such a time
	 */
	public void set(Instant instant) {
		Objects.requireNonNull(instant, "The instant must not be null");
		this.micros.set(checked(instant));
		this.whenMoved.run();
	}

	private static long checked(Instant instant) {
		if (instant.isBefore(Instant.EPOCH) || instant.isAfter(LAST)) {
			throw new IllegalArgumentException(
					"The clock cannot be set to " + instant + ". Set it to a time from 1970 to 2255.");
		}
		return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
	}

	long micros() {
		return this.micros.get();
	}

	/** Move the clock on to a time, never back. */
	void moveOnTo(long time) {
		this.micros.accumulateAndGet(time, Math::max);
	}

	/** Set the clock to the real time, in milliseconds as overrides have it. */
	void startAnew() {
		this.micros.set(TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
	}

	/** Set an action that follows each move by the test. */
	void whenMoved(Runnable action) {
		this.whenMoved = action;
	}

	@Override
	public String toString() {
		return "RateLimitClock[" + instant() + ']';
	}

}
