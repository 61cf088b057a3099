package io.github.ratelimit.store.redis;

import java.util.Collection;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Address of Redis for messages, with the properties that set it. It contains neither
 * user nor password.
 */
final class RedisAddress {

	private RedisAddress() {
	}

	/**
	 * Describe an address, to be followed by a verb: {@code Redis at localhost:6379, set
	 * by spring.data.redis.host ...,} for example.
	 */
	static String of(LettuceConnectionFactory connections) {
		RedisStaticMasterReplicaConfiguration servers = LettuceConnector.servers(connections);
		if (servers != null) {
			return "Redis at the master of "
					+ servers.getNodes()
						.stream()
						.map((server) -> server.getHostName() + ':' + server.getPort())
						.collect(Collectors.joining(", "))
					+ ", set by spring.data.redis.masterreplica.nodes or by a "
					+ "RedisStaticMasterReplicaConfiguration,";
		}
		RedisSocketConfiguration socket = connections.getSocketConfiguration();
		return (socket != null) ? "Redis at " + socket.getSocket()
				: of(connections.getClusterConfiguration(), connections.getSentinelConfiguration(),
						connections.getHostName(), connections.getPort(), connections.getDatabase());
	}

	static String of(JedisConnectionFactory connections) {
		return of(connections.getClusterConfiguration(), connections.getSentinelConfiguration(),
				connections.getHostName(), connections.getPort(), connections.getDatabase());
	}

	private static String of(@Nullable RedisClusterConfiguration cluster, @Nullable RedisSentinelConfiguration sentinel,
			String host, int port, int database) {
		if (cluster != null) {
			return "Redis Cluster at " + text(cluster.getClusterNodes()) + ", set by spring.data.redis.cluster.nodes,";
		}
		if (sentinel != null) {
			return "Redis behind the sentinels at " + text(sentinel.getSentinels())
					+ ", set by spring.data.redis.sentinel.nodes,";
		}
		return "Redis at " + host + ':' + port + ((database != 0) ? ", database " + database : "")
				+ ", set by spring.data.redis.host and spring.data.redis.port or by spring.data.redis.url,";
	}

	private static String text(Collection<RedisNode> nodes) {
		return nodes.stream().map(RedisNode::asString).sorted().collect(Collectors.joining(", "));
	}

}
