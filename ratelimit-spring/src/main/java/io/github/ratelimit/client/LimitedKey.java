package io.github.ratelimit.client;

import io.github.ratelimit.store.Demand;

/**
 * Key under which a rule counts an outgoing request.
 *
 * @param demand the demand of the request
 * @param key the key
 * @param obey whether the answer may block the key
 */
record LimitedKey(Demand demand, String key, boolean obey) {

	String rule() {
		return this.demand.rule().name();
	}

	LimitedKey or(LimitedKey same) {
		return this.obey ? this : same;
	}

}
