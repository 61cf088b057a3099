package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Log of calls for which an expression of their rule has no usable value. One line is
 * logged per rule and minute, as clients can send any number of such calls.
 *
 * @since 0.1.0
 */
public final class CallFailureLog {

	private static final Logger logger = System.getLogger(CallFailureLog.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private final Level level;

	private final String consequence;

	private final LongSupplier clock;

	/** Time of the last line logged, by rule. */
	private final Map<String, Long> logged = new ConcurrentHashMap<>();

	/**
	 * Create a new log.
	 * @param consequence the sentence that says what happens to such calls
	 */
	public CallFailureLog(Level level, String consequence) {
		this(level, consequence, System::nanoTime);
	}

	/**
	 * Create a new log.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	CallFailureLog(Level level, String consequence, LongSupplier clock) {
		this.level = level;
		this.consequence = consequence;
		this.clock = clock;
	}

	/**
	 * Log a call; at DEBUG, if its rule has been logged within a minute.
	 * @param problem the reason, without any key
	 * @param failure the cause, if it says more
	 */
	public void report(String rule, String problem, @Nullable Throwable failure) {
		logger.log(isDue(rule, this.logged, this.clock.getAsLong()) ? this.level : Level.DEBUG,
				() -> problem + ' ' + this.consequence + " This is logged once a minute for each rule.", failure);
	}

	/**
	 * Note that something is logged, unless it was within a minute.
	 * @param logged the times in nanoseconds at which each thing was logged last
	 */
	static boolean isDue(String what, Map<String, Long> logged, long now) {
		Long last = logged.get(what);
		if (last == null) {
			return logged.putIfAbsent(what, now) == null;
		}
		return now - last >= PAUSE && logged.replace(what, last, now);
	}

}
