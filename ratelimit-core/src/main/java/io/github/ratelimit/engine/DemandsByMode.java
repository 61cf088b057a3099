package io.github.ratelimit.engine;

import io.github.ratelimit.Mode;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;

/**
 * Demands of a call by the mode of their rules. Rules that are off are left out.
 *
 * @param enforced the demands of rules that are enforced
 * @param shadow the demands of rules in shadow mode
 */
record DemandsByMode(Demands enforced, Demands shadow) {

	static DemandsByMode of(Demands demands) {
		return areEnforced(demands) ? new DemandsByMode(demands, Demands.NONE)
				: new DemandsByMode(only(Mode.ENFORCE, demands), only(Mode.SHADOW, demands));
	}

	static boolean areEnforced(Demands demands) {
		for (int i = 0; i < demands.size(); i++) {
			if (mode(demands.get(i)) != Mode.ENFORCE) {
				return false;
			}
		}
		return true;
	}

	private static Demands only(Mode mode, Demands demands) {
		return demands.filter((demand) -> mode(demand) == mode);
	}

	/**
	 * Registered rules have a mode. Rules without a mode are enforced.
	 */
	private static Mode mode(Demand demand) {
		Mode mode = demand.rule().mode();
		return (mode != null) ? mode : Mode.ENFORCE;
	}

}
