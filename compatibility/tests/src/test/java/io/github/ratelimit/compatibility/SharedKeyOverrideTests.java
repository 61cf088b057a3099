package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.List;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Overrides of keys in two instances that share a Redis.
 */
@OnNewestLine
class SharedKeyOverrideTests {

	private static final String RULE = "/actuator/ratelimits/reply-controller-reply";

	private static final String CALL = "/replies?userId=acme";

	@ParameterizedTest
	@CsvSource({ "SERVLET, lettuce, REACTIVE, jedis", "REACTIVE, lettuce, SERVLET, jedis" })
	void overrideHoldsInEveryInstanceUntilItsEndAndWithoutRedis(WebApplicationType type, String client,
			WebApplicationType otherType, String otherClient) {
		RedisProcess redis = RedisProcess.start();
		try (Server one = start(type, client, redis); Server other = start(otherType, otherClient, redis)) {
			assertThat(other.statuses(6, CALL)).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
			HttpResponse<String> changed = one.postJson(RULE + "?key=acme:reply", "{\"max\":6}");
			assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
			assertThat(changed.body()).contains("\"overrideHolds\":\"in every instance\"", "\"origin\":\"redis\"");
			await().until(() -> isOverridden(other));
			assertThat(other.statuses(2, CALL)).isEqualTo(List.of(200, 429));
			assertThat(one.postJson(RULE + "?key=acme:reply", "{\"max\":6,\"lasting\":\"1s\"}").statusCode())
				.isEqualTo(200);
			await().until(() -> !isOverridden(one) && !isOverridden(other));
			assertThat(one.postJson(RULE + "?key=acme:reply", "{\"unlimited\":true}").statusCode()).isEqualTo(200);
			await().until(() -> isOverridden(other));
			assertThat(other.statuses(2, CALL)).containsOnly(200);
			redis.close();
			assertThat(other.statuses(9, CALL)).containsOnly(200);
			assertThat(one.delete(RULE + "?key=acme:reply&override").statusCode()).isEqualTo(503);
			assertThat(one.statuses(9, CALL)).containsOnly(200);
		}
	}

	private static boolean isOverridden(Server server) {
		return server.get(RULE).body().contains("\"keyOverrides\":[{\"key\":\"acme:reply\"");
	}

	private static Server start(WebApplicationType type, String client, RedisProcess redis) {
		return Server.start(type, ForumApplication.class, "spring.data.redis.port=" + redis.port(),
				"spring.data.redis.client-type=" + client, "ratelimit.redis.timeout=2s", "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s", "management.endpoints.web.exposure.include=ratelimits");
	}

}
