package io.github.ratelimit.benchmarks.peer;

import io.github.ratelimit.redis.process.RedisProcess;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections with the defaults of Spring Data Redis.
 */
final class Connections {

	private Connections() {
	}

	static LettuceConnectionFactory to(RedisProcess redis) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(redis.host(), redis.port()));
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
