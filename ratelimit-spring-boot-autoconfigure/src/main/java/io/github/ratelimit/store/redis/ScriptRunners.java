package io.github.ratelimit.store.redis;

import java.time.Duration;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Factory of the best script runner for the connections of an application.
 */
final class ScriptRunners {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			ScriptRunners.class.getClassLoader());

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			ScriptRunners.class.getClassLoader());

	private ScriptRunners() {
	}

	static ScriptRunner over(RedisConnectionFactory connections, Duration timeout) {
		if (LETTUCE && Lettuce.isIt(connections)) {
			return Lettuce.runner(connections, timeout);
		}
		return (JEDIS && Jedis.isIt(connections)) ? Jedis.runner(connections, timeout)
				: new BlockingScriptRunner(connections, false, "Redis", timeout);
	}

	/**
	 * Separate class, so that classes of Lettuce are loaded only where they are present.
	 */
	private static final class Lettuce {

		static boolean isIt(RedisConnectionFactory connections) {
			return connections instanceof LettuceConnectionFactory;
		}

		static ScriptRunner runner(RedisConnectionFactory connections, Duration timeout) {
			return new LettuceScriptRunner((LettuceConnectionFactory) connections, timeout);
		}

	}

	/**
	 * Separate class for the same reason.
	 */
	private static final class Jedis {

		static boolean isIt(RedisConnectionFactory connections) {
			return connections instanceof JedisConnectionFactory;
		}

		static ScriptRunner runner(RedisConnectionFactory connections, Duration timeout) {
			JedisConnectionFactory jedis = (JedisConnectionFactory) connections;
			return new BlockingScriptRunner(connections, jedis.isRedisClusterAware(), RedisAddress.of(jedis), timeout);
		}

	}

}
