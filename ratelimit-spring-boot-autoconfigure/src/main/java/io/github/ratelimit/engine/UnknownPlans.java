package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.RateLimitListener;
import org.jspecify.annotations.Nullable;

/**
 * Report of plans that rules do not have. Each is logged once a minute. Clients may be
 * able to choose names, so a bounded number of them is remembered and logged per minute,
 * without their control characters and shortened; a last line reports that there are
 * more.
 */
final class UnknownPlans {

	private static final Logger logger = System.getLogger(UnknownPlans.class.getName());

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	/**
	 * Bound on the names that are logged per minute.
	 */
	static final int MOST = 100;

	private static final int LONGEST_NAME = 100;

	private final RateLimitListener listeners;

	private final LongSupplier clock;

	/**
	 * Time at which each name was last logged.
	 */
	private final Map<Name, Long> logged = new ConcurrentHashMap<>();

	/**
	 * Time of the last message that further names are not logged.
	 */
	private @Nullable Long othersLogged;

	/**
	 * Create a new report.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	UnknownPlans(RateLimitListener listeners, LongSupplier clock) {
		this.listeners = listeners;
		this.clock = clock;
	}

	/**
	 * Report a call under a plan that its rule does not have.
	 */
	void met(String rule, String plan, Collection<String> known) {
		this.listeners.planUnknown(rule);
		Name name = new Name(rule, shortened(plan));
		long now = this.clock.getAsLong();
		if (isDue(name, now) && noted(name, now)) {
			logger.log(Level.WARNING, "Rule \"" + rule + "\" has no plan \"" + name.plan()
					+ "\", so the numbers of the rule apply." + RuleNames.known(name.plan(), known));
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
			logger.log(Level.WARNING, "Calls come under many plans that their rules do not have: " + MOST
					+ " were logged within a minute, and further ones are not. Can clients choose the plan?");
		}
	}

	private static String shortened(String plan) {
		String name = (plan.length() > LONGEST_NAME) ? plan.substring(0, LONGEST_NAME) + "..." : plan;
		return name.codePoints()
			.map((point) -> (Character.isISOControl(point) || Character.getType(point) == Character.FORMAT) ? '?'
					: point)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	private record Name(String rule, String plan) {

	}

}
