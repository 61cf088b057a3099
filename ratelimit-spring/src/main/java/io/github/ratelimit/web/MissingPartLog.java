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
 *
 * @since 0.1.0
 */
public final class MissingPartLog {

	private static final Logger logger = System.getLogger(MissingPartLog.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private final Map<String, Long> lastWarned = new ConcurrentHashMap<>();

	private final String answer;

	private final LongSupplier clock;

	/**
	 * Create a new log.
	 * @param answer the sentence that says what such requests are answered with
	 */
	public MissingPartLog(String answer) {
		this(answer, System::nanoTime);
	}

	/**
	 * Create a new log.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	MissingPartLog(String answer, LongSupplier clock) {
		this.answer = answer;
		this.clock = clock;
	}

	/**
	 * Warn of a request, unless its rule has been warned about within a minute.
	 * @param failure names the rule and the part
	 */
	public void warn(MissingKeyPartException failure) {
		long now = this.clock.getAsLong();
		Long last = this.lastWarned.putIfAbsent(failure.rule(), now);
		if (last == null || (now - last >= PAUSE && this.lastWarned.replace(failure.rule(), last, now))) {
			logger.log(Level.WARNING,
					failure.getMessage() + ' ' + this.answer + " This is logged once a minute for each rule.");
		}
	}

}
