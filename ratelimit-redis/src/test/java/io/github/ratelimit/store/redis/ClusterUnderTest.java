package io.github.ratelimit.store.redis;

import java.util.function.Predicate;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;

/**
 * Cluster that all tests of this JVM share; it ends with the JVM. Tests leave its nodes
 * running, but may change roles and hash slots.
 */
final class ClusterUnderTest {

	static final String PREFIX = "cluster";

	private static final RedisKeys KEYS = RedisUnderTest.keys(PREFIX);

	private ClusterUnderTest() {
	}

	static RedisCluster cluster() {
		return Holder.CLUSTER;
	}

	/**
	 * Return the name of the first counter of a demand.
	 */
	static String name(Demand demand) {
		return name(demand, 0);
	}

	static String name(Demand demand, int count) {
		return new String(KEYS.counters(demand.counts()).of(demand.key())[count]);
	}

	static RedisProcess masterOf(Demand demand) {
		return cluster().masterOf(name(demand));
	}

	/**
	 * Return a demand of one unit, with a new key on a server of the test's choice.
	 */
	static Demand demand(RateLimitRule rule, Predicate<RedisProcess> master) {
		while (true) {
			Demand demand = new Demand(rule, AlgorithmOnStore.freshKey(), 1);
			if (master.test(masterOf(demand))) {
				return demand;
			}
		}
	}

	private static final class Holder {

		static final RedisCluster CLUSTER = RedisCluster.start();

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(CLUSTER::close));
		}

	}

}
