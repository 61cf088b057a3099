package io.github.ratelimit.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Slots that calls have lost while they ran, by rule. One line is logged per renewal in
 * which some were lost.
 *
 * @since 0.1.0
 */
public final class LostSlots {

	private static final Logger logger = System.getLogger(LostSlots.class.getName());

	private final Map<String, Integer> byRule = new ConcurrentHashMap<>();

	private final Supplier<RemoteStore.@Nullable Events> events;

	/**
	 * Create a new instance.
	 * @param events returns who hears of each call that has lost its slots
	 */
	public LostSlots(Supplier<RemoteStore.@Nullable Events> events) {
		this.events = events;
	}

	/**
	 * Add a call.
	 * @param demand its demand
	 */
	public void add(Demand demand) {
		String rule = demand.rule().name();
		this.byRule.merge(rule, 1, Integer::sum);
		RemoteStore.Events following = this.events.get();
		if (following != null) {
			following.listener().slotsLost(rule);
		}
	}

	/**
	 * Report the calls that were added since the last report.
	 */
	public void report() {
		this.byRule.keySet().forEach((rule) -> {
			Integer calls = this.byRule.remove(rule);
			if (calls != null) {
				logger.log(Level.WARNING, "Running calls have lost their slots of the rate limit rule \"" + rule
						+ "\" (" + calls + ((calls == 1) ? " call" : " calls")
						+ "): the store had forgotten them or the lease had ended, and other calls hold them now. They run on, "
						+ "so more calls than max run at once until they end.");
			}
		});
	}

}
