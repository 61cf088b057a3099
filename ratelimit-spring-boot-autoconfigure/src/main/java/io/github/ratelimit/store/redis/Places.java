package io.github.ratelimit.store.redis;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleValue;

/**
 * Places of counters: slots and servers of a cluster, or the only server.
 */
final class Places {

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	Places(ScriptRunner runner, RuleValue<EncodedCounts> encoded) {
		this.runner = runner;
		this.encoded = encoded;
	}

	/**
	 * Return whether one script call can reach all counters of a call.
	 */
	boolean areOne(Demands demands) {
		return demands.size() == 1 || !this.runner.hasManyServers()
				|| demands.asList().stream().mapToInt(this::slot).distinct().count() == 1;
	}

	int slot(Demand demand) {
		return names(demand).slot(demand.key());
	}

	/**
	 * Return the name of the first counter of a key.
	 */
	byte[] first(Demand demand) {
		return names(demand).first(demand.key());
	}

	/**
	 * Return the server of a key, equal for keys of the same server.
	 */
	Object server(Demand demand) {
		return server(this.runner, first(demand));
	}

	/**
	 * Return the server of a key of Redis.
	 */
	static Object server(ScriptRunner runner, byte[] name) {
		return runner.hasManyServers() ? runner.ownerOf(name) : "redis";
	}

	private CounterNames names(Demand demand) {
		return this.encoded.get(demand.counts()).names();
	}

}
