package io.github.ratelimit.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Commands of an application beside a limiter that uses its Jedis connections.
 */
@OnOuterLines
class JedisConnectionsTests {

	private static final int COMMANDS = 2_000;

	/**
	 * New users of Redis 7 may use no channel.
	 */
	@ParameterizedTest
	@CsvSource({ "true, '+@all'", "false, '+@all'", "true, '+@all allchannels -subscribe'" })
	void commandsGetTheirOwnRepliesAlthoughTheSubscriptionIsRefused(boolean pool, String permissions) {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.command(("ACL SETUSER app on >secret ~* " + permissions).split(" "));
			try (Server server = start(redis, "spring.data.redis.username=app", "spring.data.redis.password=secret",
					"spring.data.redis.jedis.pool.enabled=" + pool)) {
				await().until(() -> refusedSubscriptions(redis) > 0);
				assertThatCommandsGetTheirOwnReplies(server);
				assertThat(refusedSubscriptions(redis)).isOne();
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "1", "2" })
	void smallPoolIsLeftToTheApplication(int size) {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start(redis, "spring.data.redis.jedis.pool.max-active=" + size,
						"spring.data.redis.jedis.pool.max-wait=5s")) {
			assertThatCommandsGetTheirOwnReplies(server);
			assertThat(server.postJson("/actuator/ratelimits/reply-controller-reply", "{\"max\":1}").statusCode())
				.isEqualTo(200);
			assertThat(server.statuses(2, "/replies?userId=laoqian")).containsExactly(200, 429);
		}
	}

	/**
	 * Redis confirms the end of each subscription, also of those that there are not, and
	 * Jedis reads one reply. From then on each command gets the reply to the last one.
	 */
	@Test
	void connectionOutOfStepIsClosed() {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start(redis, "spring.data.redis.jedis.pool.max-active=1",
						"spring.data.redis.jedis.pool.max-wait=5s")) {
			StringRedisTemplate template = server.bean(StringRedisTemplate.class);
			template.execute((RedisCallback<Object>) (connection) -> connection.execute("UNSUBSCRIBE", "one".getBytes(),
					"another".getBytes()));
			template.execute((RedisCallback<Object>) (connection) -> connection.execute("ECHO", "echo".getBytes()));
			await().until(() -> server.post("/replies?userId=laoqian").statusCode() == 200);
			assertThatCommandsGetTheirOwnReplies(server);
			assertThat(server.remaining("reply-controller-reply", "laoqian:reply")).isLessThan(5);
		}
	}

	private static Server start(RedisProcess redis, String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		properties.addAll(List.of("spring.data.redis.client-type=jedis", "spring.data.redis.port=" + redis.port(),
				"management.endpoints.web.exposure.include=ratelimits", "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s"));
		return Server.start(WebApplicationType.SERVLET, ForumApplication.class, properties.toArray(String[]::new));
	}

	private static void assertThatCommandsGetTheirOwnReplies(Server server) {
		StringRedisTemplate redis = server.bean(StringRedisTemplate.class);
		for (int user = 0; user < 4; user++) {
			redis.opsForValue().set("user:" + user, "name " + user);
		}
		assertThat(IntStream.range(0, COMMANDS)
			.parallel()
			.filter((i) -> !("name " + i % 4).equals(redis.opsForValue().get("user:" + i % 4)))
			.count()).isZero();
	}

	private static long refusedSubscriptions(RedisProcess redis) {
		return String.valueOf(redis.command("INFO", "commandstats"))
			.lines()
			.filter((line) -> line.startsWith("cmdstat_subscribe:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*rejected_calls=(\\d+).*", "$1")))
			.sum();
	}

}
