package io.github.ratelimit.store.redis;

import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages contain the address of Redis and the properties that set it, and no secrets.
 */
class RedisAddressTests {

	@Test
	void ofOneServer() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("redis.example.org", 6380);
		configuration.setUsername("someone");
		configuration.setPassword(RedisPassword.of("secret"));
		String address = "Redis at redis.example.org:6380, set by spring.data.redis.host and spring.data.redis.port or by "
				+ "spring.data.redis.url,";
		assertThat(RedisAddress.of(new LettuceConnectionFactory(configuration))).isEqualTo(address);
		assertThat(RedisAddress.of(new JedisConnectionFactory(configuration))).isEqualTo(address);
	}

	@Test
	void ofACluster() {
		RedisClusterConfiguration configuration = new RedisClusterConfiguration(Set.of("b:7001", "a:7000"));
		configuration.setPassword(RedisPassword.of("secret"));
		String address = "Redis Cluster at a:7000, b:7001, set by spring.data.redis.cluster.nodes,";
		assertThat(RedisAddress.of(new LettuceConnectionFactory(configuration))).isEqualTo(address);
		assertThat(RedisAddress.of(new JedisConnectionFactory(configuration))).isEqualTo(address);
	}

	@Test
	void ofSentinels() {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration("main", Set.of("b:26380", "a:26379"));
		configuration.setPassword(RedisPassword.of("secret"));
		String address = "Redis behind the sentinels at a:26379, b:26380, set by spring.data.redis.sentinel.nodes,";
		assertThat(RedisAddress.of(new LettuceConnectionFactory(configuration))).isEqualTo(address);
		assertThat(RedisAddress.of(new JedisConnectionFactory(configuration))).isEqualTo(address);
	}

	@Test
	void ofAMasterAndItsReplicas() {
		RedisStaticMasterReplicaConfiguration configuration = new RedisStaticMasterReplicaConfiguration("b", 6380);
		configuration.addNode("a", 6379);
		configuration.setPassword(RedisPassword.of("secret"));
		assertThat(RedisAddress.of(new LettuceConnectionFactory(configuration)))
			.isEqualTo("Redis at the master of b:6380, a:6379, set by spring.data.redis.masterreplica.nodes or by a "
					+ "RedisStaticMasterReplicaConfiguration,");
	}

	@Test
	void ofASocket() {
		assertThat(RedisAddress.of(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock"))))
			.isEqualTo("Redis at /run/redis.sock");
	}

}
