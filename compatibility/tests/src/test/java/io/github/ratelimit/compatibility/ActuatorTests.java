package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * State of the limiter as shown by the actuator endpoints.
 */
@OnOuterLines
class ActuatorTests {

	private static final String CALL = "/replies?userId=laoqian";

	private static final String HEALTH = "/actuator/health/ratelimit";

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void decisionsAreMetersAndHealthIsUp(WebApplicationType type) {
		try (RedisProcess redis = RedisProcess.start(); Server server = start(type, redis.port())) {
			server.statuses(6, CALL);
			assertThat(count(server, "ratelimit.decisions?tag=outcome:allowed&tag=origin:redis")).isEqualTo("5.0");
			assertThat(count(server, "ratelimit.decisions?tag=outcome:denied&tag=rule:reply-controller-reply"))
				.isEqualTo("1.0");
			assertThat(count(server, "ratelimit.near.limit")).isEqualTo("1.0");
			assertThat(count(server, "ratelimit.store.duration")).isEqualTo("6.0");
			assertHealth(server, 200, "UP", "counting");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void healthIsUnknownWhileTheFallbackServes(WebApplicationType type) {
		try (Server server = start(type, 1)) {
			server.statuses(1, CALL);
			assertHealth(server, 200, "UNKNOWN", "fallback");
			assertThat(count(server, "ratelimit.decisions?tag=outcome:allowed&tag=origin:fallback")).isEqualTo("1.0");
			assertThat(server.get("/actuator/metrics/ratelimit.store.failures").body()).contains("connection");
			assertThat(server.get("/actuator/health").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void healthAnswersWithoutWaitingWhileRedisHangs(WebApplicationType type) {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start(type, redis.port(), "ratelimit.redis.timeout=100ms")) {
			server.statuses(1, CALL);
			redis.freeze();
			assertThat(server.get(HEALTH).statusCode()).isEqualTo(200);
			server.statuses(6, CALL);
			await().untilAsserted(() -> assertHealth(server, 200, "UNKNOWN", "fallback"));
			redis.resume();
		}
	}

	/**
	 * The request must take less than ten seconds; without these properties it takes
	 * sixty.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void healthOfSpringBootAnswersSoonWithTheDocumentedProperties(WebApplicationType type) {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start(type, redis.port(), "management.health.redis.enabled=true",
						"spring.data.redis.timeout=1s", "spring.data.redis.connect-timeout=1s")) {
			assertThat(server.get("/actuator/health").statusCode()).isEqualTo(200);
			redis.freeze();
			assertThat(server.get("/actuator/health/redis").statusCode()).isEqualTo(503);
			redis.resume();
			redis.kill();
			assertThat(server.get("/actuator/health/redis").statusCode()).isEqualTo(503);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void healthIsDownAfterAMistake(WebApplicationType type) {
		try (RedisProcess redis = RedisProcess.start(); Server server = start(type, redis.port())) {
			redis.command("HSET", "ratelimit:{reply-controller-reply:laoqian:reply}:times", "field", "value");
			assertThat(server.post(CALL).statusCode()).isEqualTo(200);
			HttpResponse<String> health = assertHealth(server, 503, "DOWN", "refusing");
			assertThat(Json.of(health.body()).text("reason")).isEqualTo("wrongtype");
			assertThat(Json.of(health.body()).text("remedy")).contains("ratelimit.key-prefix");
			assertThat(health.body()).doesNotContain("laoqian");
		}
	}

	@Test
	void healthCanBeSwitchedOff() {
		try (Server server = start(WebApplicationType.SERVLET, 1, "management.health.ratelimit.enabled=false")) {
			assertThat(server.get(HEALTH).statusCode()).isEqualTo(404);
		}
	}

	private static HttpResponse<String> assertHealth(Server server, int code, String status, String state) {
		HttpResponse<String> health = server.get(HEALTH);
		assertThat(health.statusCode()).as(health.body()).isEqualTo(code);
		assertThat(Json.of(health.body()).text("status")).isEqualTo(status);
		assertThat(Json.of(health.body()).text("state")).isEqualTo(state);
		return health;
	}

	/**
	 * Return the first measurement of a meter.
	 */
	private static String count(Server server, String meter) {
		HttpResponse<String> response = server.get("/actuator/metrics/" + meter);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return Json.of(response.body()).text("value");
	}

	private static Server start(WebApplicationType type, int redisPort, String... more) {
		String[] properties = { "spring.data.redis.port=" + redisPort, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s", "management.endpoints.web.exposure.include=health,metrics",
				"management.endpoint.health.show-details=always", "management.health.redis.enabled=false" };
		return Server.start(type, ForumApplication.class,
				Stream.of(properties, more).flatMap(Stream::of).toArray(String[]::new));
	}

}
