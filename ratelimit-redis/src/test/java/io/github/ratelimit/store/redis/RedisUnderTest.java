package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Redis that all tests of this JVM share; it ends with the JVM. Tests that freeze or kill
 * a Redis start their own.
 */
public final class RedisUnderTest {

	private RedisUnderTest() {
	}

	public static RedisProcess process() {
		return Holder.PROCESS;
	}

	/**
	 * Return the connections that tests share.
	 */
	public static LettuceConnectionFactory connections() {
		return Holder.CONNECTIONS;
	}

	/**
	 * Return the connections of another instance, which tests share as well.
	 */
	static LettuceConnectionFactory otherConnections() {
		return Holder.OTHER_CONNECTIONS;
	}

	/**
	 * Return the names of keys on one server.
	 */
	static RedisKeys keys(String prefix) {
		return new RedisKeys(prefix, () -> ScriptReach.ALL_KEYS);
	}

	/**
	 * Return a new store with a clock in microseconds.
	 */
	static RedisRateLimitStore store(RedisConnectionFactory connections, String keyPrefix, Duration timeout,
			LongSupplier clock) {
		return new RedisRateLimitStore(new RedisSetup(ScriptRunnerFactory.over(connections, timeout), keyPrefix,
				timeout, RedisSharding.NONE, clock));
	}

	/**
	 * Return new connections, to be destroyed by the test.
	 */
	public static LettuceConnectionFactory connectionsTo(RedisProcess redis) {
		return start(new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port())));
	}

	/**
	 * Return how often Redis ran a command, directly or in a script, since
	 * {@link #resetStatistics()}.
	 */
	static long calls(String command) {
		return calls(process(), command);
	}

	/**
	 * Return how often another Redis ran a command.
	 */
	static long calls(RedisProcess redis, String command) {
		String statistics = String.valueOf(redis.command("INFO", "commandstats"));
		Matcher calls = Pattern.compile("cmdstat_" + command + "(?:\\|\\w+)?:calls=(\\d+)").matcher(statistics);
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	static void resetStatistics() {
		process().command("CONFIG", "RESETSTAT");
	}

	static LettuceConnectionFactory start(LettuceConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	private static final class Holder {

		static final RedisProcess PROCESS = RedisProcess.start();

		static final LettuceConnectionFactory CONNECTIONS = connectionsTo(PROCESS);

		static final LettuceConnectionFactory OTHER_CONNECTIONS = connectionsTo(PROCESS);

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> {
				CONNECTIONS.destroy();
				OTHER_CONNECTIONS.destroy();
				PROCESS.close();
			}));
		}

	}

}
