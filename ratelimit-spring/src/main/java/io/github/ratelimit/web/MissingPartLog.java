package io.github.ratelimit.web;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.MissingKeyPartException;

/**
 * Warnings about requests that lack a part of their key: one per rule and minute, as
 * clients can send any number of them.
 */
final class MissingPartLog {

	private static final Logger logger = System.getLogger(MissingPartLog.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private final Map<String, Long> lastWarned = new ConcurrentHashMap<>();

	private final LongSupplier clock;

	MissingPartLog() {
		this(System::nanoTime);
	}

	/**
	 * Create a new log.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	MissingPartLog(LongSupplier clock) {
		this.clock = clock;
	}

	void warn(MissingKeyPartException failure) {
		long now = this.clock.getAsLong();
		Long last = this.lastWarned.putIfAbsent(failure.rule(), now);
		if (last == null || (now - last >= PAUSE && this.lastWarned.replace(failure.rule(), last, now))) {
			logger.log(Level.WARNING, failure.getMessage() + " Such requests are answered with 400. This is logged "
					+ "once a minute for each rule.");
		}
	}

}
