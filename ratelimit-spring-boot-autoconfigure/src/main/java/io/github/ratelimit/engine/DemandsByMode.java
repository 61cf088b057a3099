package io.github.ratelimit.engine;

import io.github.ratelimit.Mode;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;

/**
 * What a call asks, by what the answer does to it. Rules that are off are asked nothing.
 *
 * @param enforced what is asked of rules that are enforced
 * @param shadow what is asked of rules that are just tried out
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
	 * Rules that are registered say their mode. Of others, given to the engine as they
	 * are, nothing but force can be meant.
	 */
	private static Mode mode(Demand demand) {
		Mode mode = demand.rule().mode();
		return (mode != null) ? mode : Mode.ENFORCE;
	}

}
