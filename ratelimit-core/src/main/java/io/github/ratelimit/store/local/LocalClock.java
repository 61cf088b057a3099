package io.github.ratelimit.store.local;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Clock of the counters in this process, in microseconds since 1970-01-01T00:00Z. It must
 * not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LocalClock extends LongSupplier {

	/**
	 * Return the time of day, for dates that people read. A clock that is given returns
	 * its own time.
	 * @return by default the system clock
	 */
	default Clock timeOfDay() {
		return Clock.systemUTC();
	}

	/**
	 * Return the monotonic clock of this process, set to the time of day when it is
	 * created.
	 * @return a clock that ignores changes of the system time
	 */
	static LocalClock monotonic() {
		long epoch = System.currentTimeMillis() * 1000 - System.nanoTime() / 1000;
		return () -> epoch + System.nanoTime() / 1000;
	}

}
