package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses while Redis is unavailable.
 */
@OnNewestLine
class StoreFailureTests {

	private static final String NOBODY_LISTENS = "spring.data.redis.port=1";

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void countsInsideTheProcessByDefault(WebApplicationType type) {
		try (Server server = Server.start(type, ForumApplication.class, NOBODY_LISTENS, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s")) {
			assertThat(server.statuses(6, "/replies?userId=laoqian")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void letsCallsPassWhenConfiguredSo(WebApplicationType type) {
		try (Server server = Server.start(type, ForumApplication.class, NOBODY_LISTENS, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s", "ratelimit.defaults.on-store-failure=allow")) {
			assertThat(server.statuses(7, "/replies?userId=laoqian")).containsOnly(200);
			assertThat(server.statuses(7, "/mono?userId=laoqian")).containsOnly(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void answersUnavailableWhenConfiguredSo(WebApplicationType type) {
		try (Server server = Server.start(type, ForumApplication.class, NOBODY_LISTENS, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s", "ratelimit.rules.reply-controller-reply.on-store-failure=deny")) {
			var unavailable = server.post("/replies?userId=laoqian");
			assertThat(unavailable.statusCode()).isEqualTo(503);
			assertThat(unavailable.headers().firstValueAsLong("Retry-After").orElseThrow()).isPositive();
			assertThat(unavailable.headers().firstValue("Content-Type").orElseThrow())
				.startsWith("application/problem+json");
			assertThat(Json.of(unavailable.body()).text("type"))
				.isEqualTo("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity");
			assertThat(server.post("/mono?userId=laoqian").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void frozenRedisCostsACallNoMoreThanTheTimeout(String client) {
		try (RedisProcess redis = RedisProcess.start();
				Server server = Server.start(WebApplicationType.SERVLET, ForumApplication.class,
						"spring.data.redis.port=" + redis.port(), "spring.data.redis.client-type=" + client,
						"ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=60s",
						"ratelimit.defaults.on-store-failure=allow", "ratelimit.redis.timeout=300ms")) {
			assertThat(server.post("/replies?userId=laoqian").statusCode()).isEqualTo(200);
			redis.freeze();
			// the other calls may wait for a core
			assertThat(Stream.generate(() -> durationOfReply(server)).limit(3).min(Comparator.naturalOrder()))
				.hasValueSatisfying(
						(shortest) -> assertThat(shortest).isBetween(Duration.ofMillis(300), Duration.ofMillis(1500)));
			redis.resume();
		}
	}

	private static Duration durationOfReply(Server server) {
		long start = System.nanoTime();
		assertThat(server.post("/replies?userId=laoqian").statusCode()).isEqualTo(200);
		return Duration.ofNanos(System.nanoTime() - start);
	}

	@Test
	void countsInRedisAgainWhenItIsBack() {
		try (RedisProcess redis = RedisProcess.start();
				Server server = Server.start(WebApplicationType.SERVLET, ForumApplication.class,
						"spring.data.redis.port=" + redis.port(), "ratelimit.rules.sms.max=1",
						"ratelimit.rules.sms.period=60s")) {
			redis.restart();
			assertThat(server.post("/replies?userId=laoqian").statusCode()).isEqualTo(200);
			long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
			String key = "ratelimit:{reply-controller-reply:laoqian:reply}:times";
			int user = 0;
			while (!Long.valueOf(1).equals(redis.command("EXISTS", key.replace("laoqian", "u" + user)))) {
				assertThat(System.nanoTime()).isLessThan(deadline);
				server.post("/replies?userId=u" + ++user);
			}
		}
	}

}
