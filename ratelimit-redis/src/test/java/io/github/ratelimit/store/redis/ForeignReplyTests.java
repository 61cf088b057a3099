package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.FaultyProxy;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Replies that belong to other calls.
 */
class ForeignReplyTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, Duration.ofMinutes(1)))
		.build();

	@Test
	void replyThatComesTwiceIsNotThatOfTheNextCallOverLettuce() throws Exception {
		run(RunnerUnderTest.LETTUCE, (store, proxy, connections) -> {
			assertThat(remaining(store, "someone")).isEqualTo(4);
			proxy.repeatNextReply();
			assertThat(remaining(store, "someone")).isEqualTo(3);
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> remaining(store, "another"))
				.withMessageContaining("the reply is that of another command")
				.satisfies((failure) -> assertThat(failure.isOutage()).isTrue());
			await().atMost(PATIENCE)
				.ignoreExceptions()
				.untilAsserted(() -> assertThat(remaining(store, "someone")).isEqualTo(2));
			assertThat(remaining(store, "another")).isEqualTo(3);
		});
	}

	/**
	 * The application borrows the connection that the limiter gave back last.
	 */
	@Test
	void replyThatComesTwiceOverJedisIsReadByNoCommandOfTheApplication() throws Exception {
		run(RunnerUnderTest.JEDIS, (store, proxy, connections) -> {
			assertThat(remaining(store, "someone")).isEqualTo(4);
			proxy.repeatNextReply();
			assertThat(remaining(store, "someone")).isEqualTo(3);
			try (RedisConnection application = connections.getConnection()) {
				assertThat(application.stringCommands().get("absent".getBytes(StandardCharsets.UTF_8))).isNull();
			}
			assertThat(remaining(store, "another")).isEqualTo(4);
		});
	}

	private static void run(RunnerUnderTest client, Use use) throws Exception {
		RedisProcess redis = RedisUnderTest.process();
		try (FaultyProxy proxy = new FaultyProxy(redis.port())) {
			RedisConnectionFactory connections = client.connections(proxy.host(), proxy.port());
			RunnerUnderTest.withStore(connections, "foreign" + client, PATIENCE,
					(store) -> use.use(store, proxy, connections));
		}
	}

	private static long remaining(RedisRateLimitStore store, String key) {
		return store.acquire(new Demand(RULE, key, 1)).get(0).first().remaining();
	}

	private interface Use {

		void use(RedisRateLimitStore store, FaultyProxy proxy, RedisConnectionFactory connections);

	}

}
