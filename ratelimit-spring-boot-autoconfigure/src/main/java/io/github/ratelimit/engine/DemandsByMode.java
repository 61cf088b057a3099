package io.github.ratelimit.engine;

import java.util.List;

import io.github.ratelimit.Mode;
import io.github.ratelimit.store.Demand;

/**
 * Demands of a call by the mode of their rules. Rules that are off are left out.
 *
 * @param enforced the demands of rules that are enforced
 * @param shadow the demands of rules in shadow mode
 */
record DemandsByMode(List<Demand> enforced, List<Demand> shadow) {

	static DemandsByMode of(List<Demand> demands) {
		return areEnforced(demands) ? new DemandsByMode(demands, List.of())
				: new DemandsByMode(only(Mode.ENFORCE, demands), only(Mode.SHADOW, demands));
	}

	static boolean areEnforced(List<Demand> demands) {
		for (int i = 0; i < demands.size(); i++) {
			if (mode(demands.get(i)) != Mode.ENFORCE) {
				return false;
			}
		}
		return true;
	}

	private static List<Demand> only(Mode mode, List<Demand> demands) {
		return demands.stream().filter((demand) -> mode(demand) == mode).toList();
	}

	/**
	 * Registered rules have a mode. Rules without a mode are enforced.
	 */
	private static Mode mode(Demand demand) {
		Mode mode = demand.rule().mode();
		return (mode != null) ? mode : Mode.ENFORCE;
	}

}
