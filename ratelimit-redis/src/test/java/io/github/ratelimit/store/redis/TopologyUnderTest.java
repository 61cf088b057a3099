package io.github.ratelimit.store.redis;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Kinds of Redis that a client for a single server can be connected to.
 */
enum TopologyUnderTest {

	SERVER {

		@Override
		Endpoint start() {
			return endpoint(RedisUnderTest.process());
		}

	},

	CLUSTER_OF_ONE_NODE {

		@Override
		Endpoint start() {
			return endpoint(OnlyNode.PROCESS);
		}

	},

	ENDPOINT_BEFORE_A_CLUSTER {

		@Override
		Endpoint start() {
			RedisCluster cluster = ClusterUnderTest.cluster();
			Map<Integer, RedisProcess> masters = new ConcurrentHashMap<>();
			RoutingProxy proxy = RoutingProxy.bySlot((slot) -> masters.computeIfAbsent(slot, cluster::masterOf));
			return new Endpoint(proxy.host(), proxy.port(), proxy);
		}

	},

	PROXY_THAT_HASHES_TAGS {

		@Override
		Endpoint start() {
			return proxy(true);
		}

	},

	PROXY_THAT_HASHES_WHOLE_KEYS {

		@Override
		Endpoint start() {
			return proxy(false);
		}

	};

	abstract Endpoint start();

	static Endpoint endpoint(RedisProcess redis) {
		return new Endpoint(redis.host(), redis.port(), () -> {
		});
	}

	static Endpoint proxy(boolean tags) {
		RoutingProxy proxy = RoutingProxy.byHash(Shards.PROCESSES,
				(key) -> (tags && key.contains("{")) ? key.substring(key.indexOf('{'), key.indexOf('}')) : key);
		return new Endpoint(proxy.host(), proxy.port(), proxy);
	}

	/**
	 * Address of a running Redis.
	 */
	record Endpoint(String host, int port, Closeable proxy) implements Closeable {

		RedisConnectionFactory connections(RunnerUnderTest client) {
			return client.patientConnections(this.host, this.port);
		}

		@Override
		public void close() throws IOException {
			this.proxy.close();
		}

	}

	/**
	 * Servers of proxies that tests share; they end with the JVM.
	 */
	private static final class Shards {

		static final List<RedisProcess> PROCESSES = List.of(RedisProcess.start(), RedisProcess.start());

		static {
			PROCESSES.forEach((shard) -> Runtime.getRuntime().addShutdownHook(new Thread(shard::close)));
		}

	}

	/**
	 * Cluster of one node that tests share; it ends with the JVM.
	 */
	private static final class OnlyNode {

		static final RedisProcess PROCESS = RedisProcess.start("--cluster-enabled", "yes");

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(PROCESS::close));
			PROCESS.command(Stream
				.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(0, 16_384).mapToObj(Integer::toString))
				.toArray(String[]::new));
			while (!String.valueOf(PROCESS.command("CLUSTER", "INFO")).contains("cluster_state:ok")) {
				LoadThreads.pause(20);
			}
		}

	}

}
