package io.github.ratelimit.store.redis;

import java.time.Duration;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Application whose sentinels and servers have users of their own, and whose credentials
 * come from a factory.
 */
class SentinelCredentialsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@Test
	void storeListensToSentinelsWithTheirCredentials() {
		try (RedisSentinel redis = RedisSentinel.start()) {
			redis.servers().forEach((server) -> addUser(server, "data"));
			redis.sentinels().forEach((sentinel) -> addUser(sentinel, "watcher"));
			RunnerUnderTest.withStore(connections(redis), "credentials", PATIENCE, (store) -> {
				store.connect();
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(redis.sentinels())
						.allSatisfy((sentinel) -> assertThat(String.valueOf(sentinel.command("CLIENT", "LIST")).lines())
							.anyMatch((client) -> client.contains(" sub=3 ") && client.contains(" user=watcher "))));
			});
		}
	}

	private static void addUser(RedisProcess server, String name) {
		server.command("ACL", "SETUSER", name, "on", ">secret of " + name, "allkeys", "allchannels", "+@all");
	}

	private static RedisConnectionFactory connections(RedisSentinel redis) {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master(redis.masterName());
		redis.sentinels().forEach((sentinel) -> sentinels.sentinel(sentinel.host(), sentinel.port()));
		return RedisUnderTest.start(new LettuceConnectionFactory(sentinels,
				LettuceClientConfiguration.builder().redisCredentialsProviderFactory(new Users()).build()));
	}

	private static final class Users implements RedisCredentialsProviderFactory {

		@Override
		public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration server) {
			return of("data");
		}

		@Override
		public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration sentinels) {
			return of("watcher");
		}

		private static RedisCredentialsProvider of(String user) {
			return () -> Mono.just(RedisCredentials.just(user, "secret of " + user));
		}

	}

}
