package io.github.ratelimit.store.redis;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleValue;

/**
 * Places of counters: the groups that a script reaches, and servers of a cluster.
 */
final class Places {

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	private final Sharding sharding;

	Places(ScriptRunner runner, RuleValue<EncodedCounts> encoded, Sharding sharding) {
		this.runner = runner;
		this.encoded = encoded;
		this.sharding = sharding;
	}

	/**
	 * Return whether one script call can reach all counters of a call.
	 */
	boolean areOne(Demands demands) {
		return demands.size() == 1 || this.sharding.reach() == ScriptReach.ALL_KEYS
				|| demands.asList().stream().map(this::group).distinct().count() == 1;
	}

	/**
	 * Return the group of counters that a script reaches.
	 */
	Object group(Demand demand) {
		return this.sharding.reach().group(first(demand));
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
