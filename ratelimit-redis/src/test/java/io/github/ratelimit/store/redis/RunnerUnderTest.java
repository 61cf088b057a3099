package io.github.ratelimit.store.redis;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;

/**
 * Clients of Redis, each with a {@link ScriptRunner} of its own.
 */
enum RunnerUnderTest {

	LETTUCE {

		@Override
		RedisConnectionFactory connections(RedisStandaloneConfiguration server) {
			return RedisUnderTest.start(new LettuceConnectionFactory(server));
		}

		@Override
		RedisConnectionFactory connections(RedisSentinelConfiguration sentinels) {
			return RedisUnderTest.start(new LettuceConnectionFactory(sentinels));
		}

		@Override
		RedisConnectionFactory tlsConnections(RedisStandaloneConfiguration server, Path trusted) {
			SslOptions ssl = SslOptions.builder().jdkSslProvider().trustManager(trusted.toFile()).build();
			return RedisUnderTest.start(new LettuceConnectionFactory(server,
					LettuceClientConfiguration.builder()
						.clientOptions(ClientOptions.builder().sslOptions(ssl).build())
						.useSsl()
						.build()));
		}

		@Override
		RedisConnectionFactory connections(RedisClusterConfiguration cluster) {
			return RedisUnderTest.start(new LettuceConnectionFactory(cluster));
		}

	},

	JEDIS {

		@Override
		RedisConnectionFactory connections(RedisStandaloneConfiguration server) {
			return start(new JedisConnectionFactory(server));
		}

		@Override
		RedisConnectionFactory patientConnections(String host, int port) {
			return start(new JedisConnectionFactory(new RedisStandaloneConfiguration(host, port),
					JedisClientConfiguration.builder().readTimeout(Duration.ofMinutes(1)).build()));
		}

		@Override
		RedisConnectionFactory connections(RedisSentinelConfiguration sentinels) {
			return start(new JedisConnectionFactory(sentinels));
		}

		@Override
		RedisConnectionFactory tlsConnections(RedisStandaloneConfiguration server, Path trusted) {
			SSLParameters checkingTheHost = new SSLParameters();
			checkingTheHost.setEndpointIdentificationAlgorithm("HTTPS");
			return start(new JedisConnectionFactory(server,
					JedisClientConfiguration.builder()
						.useSsl()
						.sslSocketFactory(trusting(trusted))
						.sslParameters(checkingTheHost)
						.build()));
		}

		@Override
		RedisConnectionFactory connections(RedisClusterConfiguration cluster) {
			return start(new JedisConnectionFactory(cluster));
		}

		private static JedisConnectionFactory start(JedisConnectionFactory connections) {
			connections.afterPropertiesSet();
			connections.start();
			return connections;
		}

		private static SSLSocketFactory trusting(Path certificate) {
			try (InputStream pem = Files.newInputStream(certificate)) {
				KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
				trusted.load(null, null);
				trusted.setCertificateEntry("redis", CertificateFactory.getInstance("X.509").generateCertificate(pem));
				TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
				trust.init(trusted);
				SSLContext context = SSLContext.getInstance("TLS");
				context.init(null, trust.getTrustManagers(), null);
				return context.getSocketFactory();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	};

	abstract RedisConnectionFactory connections(RedisStandaloneConfiguration server);

	abstract RedisConnectionFactory connections(RedisSentinelConfiguration sentinels);

	/**
	 * Return connections over TLS.
	 * @param trusted the file of the only certificate that is trusted
	 */
	abstract RedisConnectionFactory tlsConnections(RedisStandaloneConfiguration server, Path trusted);

	RedisConnectionFactory connections(RedisSentinel redis) {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master(redis.masterName());
		redis.sentinels().forEach((sentinel) -> sentinels.sentinel(sentinel.host(), sentinel.port()));
		return connections(sentinels);
	}

	abstract RedisConnectionFactory connections(RedisClusterConfiguration cluster);

	RedisConnectionFactory connections(RedisCluster cluster) {
		return connections(configurationOf(cluster));
	}

	static RedisClusterConfiguration configurationOf(RedisCluster cluster) {
		return new RedisClusterConfiguration(
				cluster.nodes().stream().map((node) -> node.host() + ":" + node.port()).toList());
	}

	RedisConnectionFactory connections(RedisProcess redis) {
		return connections(redis.host(), redis.port());
	}

	/**
	 * Return connections that wait for a reply for a minute, as those of Lettuce do, and
	 * not for two seconds, as those of Jedis do.
	 */
	RedisConnectionFactory patientConnections(String host, int port) {
		return connections(host, port);
	}

	RedisConnectionFactory connections(String host, int port) {
		return connections(new RedisStandaloneConfiguration(host, port));
	}

	/**
	 * Run a test with a store, and close its connections.
	 */
	static void withStore(RedisConnectionFactory connections, String prefix, Duration timeout,
			Consumer<RedisRateLimitStore> test) {
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, prefix, timeout)) {
			test.accept(store);
		}
		finally {
			destroy(connections);
		}
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
