package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Banned users of two instances that share a Redis.
 */
@OnNewestLine
class SharedBanTests {

	private static final String RULE = "/actuator/ratelimits/reply-controller-reply";

	private static final String CALL = "/replies?userId=mallory";

	private static final String KEY = "/mallory:reply";

	@ParameterizedTest
	@CsvSource({ "SERVLET, lettuce, REACTIVE, jedis", "REACTIVE, lettuce, SERVLET, jedis" })
	void banHoldsInEveryInstanceUntilItIsLifted(WebApplicationType type, String client, WebApplicationType otherType,
			String otherClient) {
		try (RedisProcess redis = RedisProcess.start();
				Server one = start(type, client, redis);
				Server other = start(otherType, otherClient, redis)) {
			assertThat(one.statuses(7, CALL)).endsWith(200, 429, 429);
			HttpResponse<String> banning = other.post(CALL);
			assertThat(Json.of(banning.body()).text("violated-policies"))
				.isEqualTo("[\"reply-controller-reply\",\"reply-controller-reply-ban\"]");
			HttpResponse<String> banned = one.post(CALL);
			assertThat(banned.statusCode()).isEqualTo(429);
			assertThat(banned.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(3590L, 3600L);
			assertThat(Json.of(banned.body()).text("violated-policies")).isEqualTo("[\"reply-controller-reply-ban\"]");
			assertThat(Json.of(banned.body()).text("detail"))
				.startsWith("Rate limit exceeded: \\\"reply-controller-reply-ban\\\" denies all calls after too many "
						+ "denials. Try again in ");
			assertBanned(one, "\"banned\":[{\"key\":\"mallory:reply\",\"until\":\"2");
			assertThat(one.get(RULE + KEY + "?explain").body()).contains("\"bannedUntil\":\"2",
					"All calls are denied, because the key is banned after 3 denials until 2");
			assertThat(other.delete(RULE + KEY).body()).doesNotContain("bannedUntil");
			assertThat(other.post(CALL).statusCode()).isEqualTo(200);
			assertBanned(one, "\"banned\":[]");
		}
	}

	/**
	 * The list is written after the answer to the call.
	 */
	private static void assertBanned(Server server, String expected) {
		await().untilAsserted(() -> assertThat(server.get(RULE + "?banned").body()).contains(expected));
	}

	private static Server start(WebApplicationType type, String client, RedisProcess redis) {
		String rule = "ratelimit.rules.reply-controller-reply.ban.";
		return Server.start(type, ForumApplication.class, "spring.data.redis.port=" + redis.port(),
				"spring.data.redis.client-type=" + client, "management.endpoints.web.exposure.include=ratelimits",
				"ratelimit.redis.timeout=10s", rule + "after=3", rule + "within=10m", rule + "lasting=1h",
				"ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=60s");
	}

}
