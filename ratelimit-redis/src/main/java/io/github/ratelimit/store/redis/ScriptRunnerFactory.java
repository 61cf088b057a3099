package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.function.Supplier;

import io.lettuce.core.RedisCredentialsProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.util.ClassUtils;

/** Factory of the best script runner for the connections of an application. */
final class ScriptRunnerFactory {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			ScriptRunnerFactory.class.getClassLoader());

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			ScriptRunnerFactory.class.getClassLoader());

	private ScriptRunnerFactory() {
	}

	static ScriptRunner over(RedisConnectionFactory connections, Duration timeout) {
		if (LETTUCE && connections instanceof LettuceConnectionFactory lettuce) {
			return Lettuce.runner(lettuce, timeout);
		}
		return (JEDIS && connections instanceof JedisConnectionFactory jedis) ? Jedis.runner(jedis, timeout)
				: new BlockingScriptRunner(connections, false, "Redis", timeout, BlockingScriptRunner.daemons());
	}

	private static void onClosingThread(Runnable task) {
		Scheduler.onNewThread(task, "ratelimit-redis-close");
	}

	/**
	 * Return what opens connections to listen on, {@code null} if the pool of the
	 * application has only one, which it cannot do without.
	 */
	static @Nullable Supplier<RedisConnection> listeners(RedisConnectionFactory connections, Duration timeout) {
		if (LETTUCE && connections instanceof LettuceConnectionFactory lettuce) {
			return Lettuce.listeners(lettuce, timeout);
		}
		return (JEDIS && connections instanceof JedisConnectionFactory jedis && Jedis.isPoolOfOne(jedis)) ? null
				: connections::getConnection;
	}

	/**
	 * Return the Jedis behind a connection, if any. A connection of Lettuce is not asked
	 * for what is behind it: it would open another one.
	 */
	static @Nullable JedisClient jedisBehind(RedisConnection connection) {
		return (JEDIS && !(LETTUCE && connection instanceof LettuceConnection)) ? JedisClient.behind(connection) : null;
	}

	/**
	 * Return the check whether client and server agree about TLS, if there is a single
	 * server with host and port.
	 */
	static @Nullable TlsCheck tlsCheck(RedisConnectionFactory connections) {
		if (LETTUCE && connections instanceof LettuceConnectionFactory lettuce) {
			return Lettuce.tlsCheck(lettuce);
		}
		return (JEDIS && connections instanceof JedisConnectionFactory jedis) ? Jedis.tlsCheck(jedis) : null;
	}

	/**
	 * Separate class, so that classes of Lettuce are loaded only where they are present.
	 */
	private static final class Lettuce {

		static ScriptRunner runner(LettuceConnectionFactory connections, Duration timeout) {
			ScriptRunner runner = new LettuceScriptRunner(connections, timeout);
			RedisSentinelConfiguration sentinels = connections.getSentinelConfiguration();
			LettuceClientConfiguration client = connections.getClientConfiguration();
			return (sentinels == null) ? runner
					: new FailoverScriptRunner(runner, new SentinelEvents(sentinels, (sentinel) -> {
						LettuceConnectionFactory opened = connections(sentinel, ofSentinels(client, sentinels));
						return new SentinelEvents.Connections(listeners(opened, timeout), opened::destroy);
					}, (replica) -> {
						LettuceConnectionFactory opened = connections(replica, client);
						return new PromotedReplica(new LettuceScriptRunner(opened, timeout), opened::destroy);
					}), Scheduler::onTimerThread, ScriptRunnerFactory::onClosingThread);
		}

		/**
		 * Return the client of the application with the credentials of sentinels: Spring
		 * Data would ask its factory for those of a server, and send them to a sentinel.
		 */
		private static LettuceClientConfiguration ofSentinels(LettuceClientConfiguration client,
				RedisSentinelConfiguration sentinels) {
			return client.getRedisCredentialsProviderFactory()
				.map((factory) -> with(factory.createSentinelCredentialsProvider(sentinels), client))
				.orElse(client);
		}

		private static LettuceClientConfiguration with(RedisCredentialsProvider credentials,
				LettuceClientConfiguration client) {
			LettuceClientConfigurationBuilder copy = LettuceClientConfiguration.builder()
				.commandTimeout(client.getCommandTimeout())
				.shutdownTimeout(client.getShutdownTimeout())
				.shutdownQuietPeriod(client.getShutdownQuietPeriod())
				.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

					@Override
					public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration sentinel) {
						return credentials;
					}

				});
			client.getClientResources().ifPresent(copy::clientResources);
			client.getClientOptions().ifPresent(copy::clientOptions);
			client.getClientName().ifPresent(copy::clientName);
			if (client.isUseSsl()) {
				LettuceSslClientConfigurationBuilder tls = copy.useSsl().verifyPeer(client.getVerifyMode());
				if (client.isStartTls()) {
					tls.startTls();
				}
			}
			return copy.build();
		}

		static Supplier<RedisConnection> listeners(LettuceConnectionFactory connections, Duration timeout) {
			return new LettuceConnector(connections, RedisFailures.connectPatience(timeout))::listener;
		}

		static @Nullable TlsCheck tlsCheck(LettuceConnectionFactory connections) {
			RedisStandaloneConfiguration server = connections.getStandaloneConfiguration();
			boolean isSingle = !connections.isClusterAware() && !connections.isRedisSentinelAware()
					&& connections.getSocketConfiguration() == null && LettuceConnector.servers(connections) == null;
			return (isSingle && server != null) ? new TlsCheck(server.getHostName(), server.getPort(),
					connections.isUseSsl(), RedisAddress.of(connections)) : null;
		}

		private static LettuceConnectionFactory connections(RedisStandaloneConfiguration server,
				LettuceClientConfiguration client) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory(server, client);
			connections.setShareNativeConnection(false);
			connections.afterPropertiesSet();
			connections.start();
			return connections;
		}

	}

	private static final class Jedis {

		static boolean isPoolOfOne(JedisConnectionFactory connections) {
			return connections.getClientConfiguration()
				.getPoolConfig()
				.filter((pool) -> pool.getMaxTotal() == 1)
				.isPresent();
		}

		static ScriptRunner runner(JedisConnectionFactory connections, Duration timeout) {
			ScriptRunner runner = blocking(connections, timeout);
			RedisSentinelConfiguration sentinels = connections.getSentinelConfiguration();
			JedisClientConfiguration client = connections.getClientConfiguration();
			return (sentinels == null) ? runner
					: new FailoverScriptRunner(runner, new SentinelEvents(sentinels, (sentinel) -> {
						JedisConnectionFactory opened = connections(sentinel, client);
						return new SentinelEvents.Connections(opened::getConnection, opened::destroy);
					}, (replica) -> {
						JedisConnectionFactory opened = connections(replica, client);
						return new PromotedReplica(blocking(opened, timeout), opened::destroy);
					}), Scheduler::onTimerThread, ScriptRunnerFactory::onClosingThread);
		}

		static @Nullable TlsCheck tlsCheck(JedisConnectionFactory connections) {
			RedisStandaloneConfiguration server = connections.getStandaloneConfiguration();
			boolean isSingle = !connections.isRedisClusterAware() && !connections.isRedisSentinelAware();
			return (isSingle && server != null) ? new TlsCheck(server.getHostName(), server.getPort(),
					connections.isUseSsl(), RedisAddress.of(connections)) : null;
		}

		private static ScriptRunner blocking(JedisConnectionFactory connections, Duration timeout) {
			return new BlockingScriptRunner(connections, connections.isRedisClusterAware(),
					RedisAddress.of(connections), timeout, BlockingScriptRunner.daemons());
		}

		private static JedisConnectionFactory connections(RedisStandaloneConfiguration server,
				JedisClientConfiguration client) {
			JedisConnectionFactory connections = new JedisConnectionFactory(server, client);
			connections.afterPropertiesSet();
			connections.start();
			return connections;
		}

	}

}
