package io.github.ratelimit.store.redis;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Addresses that an application connects to, with a timeout of the limiter's own. Neither
 * Lettuce nor Spring Data has a public method for them. Spring Data reads the one of a
 * client in the same way.
 */
final class LettuceAddresses {

	private LettuceAddresses() {
	}

	/** Return the address of a server, or of several of which one is the master. */
	static List<RedisURI> of(LettuceConnectionFactory connections, RedisClient client, Duration timeout) {
		if (value(RedisClient.class, "redisURI", client) instanceof RedisURI address && isKnown(address)) {
			return List.of(within(timeout, address));
		}
		RedisStaticMasterReplicaConfiguration servers = servers(connections);
		Assert.state(servers != null, "The connection factory has no address of Redis");
		return servers.getNodes()
			.stream()
			.map((server) -> within(timeout, address(server, servers, connections.getClientConfiguration())))
			.toList();
	}

	private static boolean isKnown(RedisURI address) {
		return address.getHost() != null || address.getSocket() != null || !address.getSentinels().isEmpty();
	}

	/**
	 * Return the servers of which one is the master, which a client does not know, if
	 * they are listed.
	 */
	static @Nullable RedisStaticMasterReplicaConfiguration servers(LettuceConnectionFactory connections) {
		return (value(LettuceConnectionFactory.class, "configuration",
				connections) instanceof RedisStaticMasterReplicaConfiguration servers) ? servers : null;
	}

	private static @Nullable Object value(Class<?> type, String name, Object owner) {
		Field field = ReflectionUtils.findField(type, name);
		if (field == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, owner);
	}

	private static RedisURI address(RedisStandaloneConfiguration server,
			RedisStaticMasterReplicaConfiguration configuration, LettuceClientConfiguration client) {
		RedisURI.Builder address = RedisURI.Builder.redis(server.getHostName(), server.getPort())
			.withDatabase(configuration.getDatabase())
			.withSsl(client.isUseSsl())
			.withVerifyPeer(client.getVerifyMode())
			.withStartTls(client.isStartTls())
			.withTimeout(client.getCommandTimeout());
		client.getClientName().ifPresent(address::withClientName);
		String user = configuration.getUsername();
		configuration.getPassword().toOptional().ifPresent((password) -> {
			if (StringUtils.hasText(user)) {
				address.withAuthentication(user, password);
			}
			else {
				address.withPassword(password);
			}
		});
		client.getRedisCredentialsProviderFactory()
			.map((factory) -> factory.createCredentialsProvider(configuration))
			.ifPresent(address::withAuthentication);
		return address.build();
	}

	private static RedisURI within(Duration timeout, RedisURI address) {
		RedisURI.Builder copy = RedisURI.builder(address).withTimeout(timeout);
		if (address.getSentinelMasterId() != null) {
			copy.withSentinelMasterId(address.getSentinelMasterId());
		}
		address.getSentinels().forEach((sentinel) -> copy.withSentinel(within(timeout, sentinel)));
		return copy.build();
	}

}
