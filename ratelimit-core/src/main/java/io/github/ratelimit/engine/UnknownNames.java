package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Report of names that expressions select and that do not exist, of plans or time zones.
 * Each is logged once a minute. Clients may be able to choose names, so a bounded number
 * of them is remembered and logged per minute, without their control characters and
 * shortened; a last line reports that there are more.
 */
final class UnknownNames {

	private static final Logger logger = System.getLogger(UnknownNames.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	/** Bound on the names that are logged per minute. */
	static final int MOST = 100;

	private static final int LONGEST_NAME = 100;

	private final String many;

	private final LongSupplier clock;

	/** Time at which each name was last logged. */
	private final Map<Name, Long> logged = new ConcurrentHashMap<>();

	/** Time of the last message that further names are not logged. */
	private @Nullable Long othersLogged;

	/**
	 * Create a new report.
	 * @param many the beginning of the message that there are many names
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	UnknownNames(String many, LongSupplier clock) {
		this.many = many;
		this.clock = clock;
	}

	/**
	 * Report an unknown name.
	 * @param message returns the message for the name, as it may be logged
	 */
	void met(String rule, String written, UnaryOperator<String> message) {
		Name name = new Name(rule, shortened(written));
		long now = this.clock.getAsLong();
		if (isDue(name, now) && noted(name, now)) {
			logger.log(Level.WARNING, message.apply(name.text()));
		}
	}

	private boolean isDue(Name name, long now) {
		Long last = this.logged.get(name);
		return last == null || now - last >= PAUSE;
	}

	private synchronized boolean noted(Name name, long now) {
		if (!isDue(name, now)) {
			return false;
		}
		if (this.logged.size() >= MOST) {
			this.logged.values().removeIf((last) -> now - last >= PAUSE);
		}
		if (this.logged.size() >= MOST) {
			noteOthers(now);
			return false;
		}
		this.logged.put(name, now);
		return true;
	}

	private void noteOthers(long now) {
		if (this.othersLogged == null || now - this.othersLogged >= PAUSE) {
			this.othersLogged = now;
			logger.log(Level.WARNING, this.many + MOST
					+ " were logged within a minute, and further ones are not. If clients can choose them, let the expression return known ones only.");
		}
	}

	private static String shortened(String text) {
		String name = (text.length() > LONGEST_NAME) ? text.substring(0, LONGEST_NAME) + "..." : text;
		return name.codePoints()
			.map((point) -> (Character.isISOControl(point) || Character.getType(point) == Character.FORMAT) ? '?'
					: point)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	private record Name(String rule, String text) {

	}

}
