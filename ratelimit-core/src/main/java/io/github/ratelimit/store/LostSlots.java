package io.github.ratelimit.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Slots that calls have lost while they ran, by rule. One line is logged per renewal in
 * which some were lost.
 *
 * @since 0.1.0
 */
public final class LostSlots {

	private static final Logger logger = System.getLogger(LostSlots.class.getName());

	private final Map<String, Integer> byRule = new ConcurrentHashMap<>();

	private final Consumer<Demand> whenLost;

	/**
	 * Create a new instance.
	 * @param whenLost gets the demand of each call that has lost its slots
	 */
	public LostSlots(Consumer<Demand> whenLost) {
		this.whenLost = whenLost;
	}

	/**
	 * Add a call.
	 * @param demand its demand
	 */
	public void add(Demand demand) {
		this.byRule.merge(demand.rule().name(), 1, Integer::sum);
		this.whenLost.accept(demand);
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
						+ "so more calls than max run at once until they end. A longer lease outlasts longer failures of the store "
						+ "and pauses of this process.");
			}
		});
	}

}
