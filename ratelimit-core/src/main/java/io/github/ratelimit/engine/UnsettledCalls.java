package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Report of calls that have ended and whose units cannot be settled as their rule
 * demands, since one of its expressions fails. One error is logged per rule and minute.
 */
final class UnsettledCalls {

	private static final Logger logger = System.getLogger(UnsettledCalls.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private final LongSupplier clock;

	/**
	 * Time of the last error logged, by rule.
	 */
	private final Map<String, Long> logged = new ConcurrentHashMap<>();

	/**
	 * Create a new report.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	UnsettledCalls(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Report a call whose units stay counted as they are.
	 * @param problem the reason, without any key
	 */
	void report(String rule, String problem, Throwable failure) {
		Level level = isDue(rule) ? Level.ERROR : Level.DEBUG;
		logger.log(level, problem + " The units that the call took stay counted.", failure);
	}

	private boolean isDue(String rule) {
		long now = this.clock.getAsLong();
		Long last = this.logged.get(rule);
		if (last == null) {
			return this.logged.putIfAbsent(rule, now) == null;
		}
		return now - last >= PAUSE && this.logged.replace(rule, last, now);
	}

}
