package io.github.ratelimit.store.redis;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * The clients of Redis, each of which leads to another {@link ScriptRunner}.
 */
enum RunnerUnderTest {

	LETTUCE {

		@Override
		RedisConnectionFactory connections(RedisStandaloneConfiguration server) {
			return RedisUnderTest.start(new LettuceConnectionFactory(server));
		}

	},

	JEDIS {

		@Override
		RedisConnectionFactory connections(RedisStandaloneConfiguration server) {
			JedisConnectionFactory connections = new JedisConnectionFactory(server);
			connections.afterPropertiesSet();
			connections.start();
			return connections;
		}

	};

	abstract RedisConnectionFactory connections(RedisStandaloneConfiguration server);

	RedisConnectionFactory connections(RedisProcess redis) {
		return connections(redis.host(), redis.port());
	}

	RedisConnectionFactory connections(String host, int port) {
		return connections(new RedisStandaloneConfiguration(host, port));
	}

	static void destroy(RedisConnectionFactory connections) {
		try {
			((DisposableBean) connections).destroy();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
