package io.github.ratelimit.store.redis;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Connections that lead to either kind of {@link ScriptRunner}.
 */
enum RunnerUnderTest {

	LETTUCE(true), BLOCKING(false);

	private final boolean shared;

	RunnerUnderTest(boolean shared) {
		this.shared = shared;
	}

	LettuceConnectionFactory connections(RedisProcess redis) {
		return connections(redis.host(), redis.port());
	}

	LettuceConnectionFactory connections(String host, int port) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(host, port));
		connections.setShareNativeConnection(this.shared);
		return RedisUnderTest.start(connections);
	}

}
