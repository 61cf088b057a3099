package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.ratelimit.store.Demand;

/**
 * Slots that calls have lost while they ran, by rule. One line is logged per renewal in
 * which some were lost.
 */
final class LostSlots {

	private static final Logger logger = System.getLogger(LostSlots.class.getName());

	private final Map<String, Integer> byRule = new ConcurrentHashMap<>();

	private final Consumer<Demand> whenLost;

	LostSlots(Consumer<Demand> whenLost) {
		this.whenLost = whenLost;
	}

	void add(Demand demand) {
		this.byRule.merge(demand.rule().name(), 1, Integer::sum);
		this.whenLost.accept(demand);
	}

	void report() {
		this.byRule.keySet().forEach((rule) -> {
			Integer calls = this.byRule.remove(rule);
			if (calls != null) {
				logger.log(Level.WARNING, "Running calls have lost their slots of the rate limit rule \"" + rule
						+ "\" (" + calls + ((calls == 1) ? " call" : " calls")
						+ "): Redis had forgotten them or the lease had ended, and other calls hold them now. They run on, so "
						+ "more calls than max run at once until they end.");
			}
		});
	}

}
