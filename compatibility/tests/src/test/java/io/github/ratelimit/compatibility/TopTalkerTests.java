package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Keys with most denials, as the endpoint lists them.
 */
@OnOuterLines
class TopTalkerTests {

	private static final String RULE = "/actuator/ratelimits/reply-controller-reply";

	private static final String CALL = "/replies?userId=";

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void deniedKeysOfThisProcessAreListedByTheirDenials(WebApplicationType type) {
		try (Server server = start(type, "ratelimit.store=local", "ratelimit.top.calls=true")) {
			server.statuses(6, CALL + "ann");
			server.statuses(8, CALL + "bob");
			server.statuses(3, CALL + "eve");
			String top = get(server, RULE + "?top");
			assertThat(top).contains(
					"\"rule\":\"reply-controller-reply\",\"countedIn\":\"this process only\",\"since\":",
					"\"denied\":4,\"top\":[{\"key\":\"bob:reply\",\"denied\":3,\"error\":0,\"share\":0.75},"
							+ "{\"key\":\"ann:reply\",\"denied\":1,\"error\":0,\"share\":0.25}]",
					"\"calls\":17,\"topByCalls\":[{\"key\":\"bob:reply\",\"calls\":8,\"error\":0,\"share\":0.4706},");
			assertThat(get(server, "/actuator/metrics/ratelimit.decisions")).doesNotContain("bob");
			assertThat(get(server, RULE + "?top&banned")).startsWith(top.substring(0, top.length() - 1))
				.endsWith(",\"banned\":[]}");
			assertProblem(server, RULE + "?top&key=ann", 400, "it lists keys of the whole rule");
			assertProblem(server, "/actuator/ratelimits/lgo?top", 404, "There is no rate limit rule");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void answerSaysThatNothingIsRecorded(WebApplicationType type) {
		try (Server server = start(type, "ratelimit.store=local", "ratelimit.top.size=0")) {
			server.statuses(6, CALL + "ann");
			assertProblem(server, RULE + "?top", 404, "ratelimit.top.size is 0");
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, lettuce, REACTIVE, jedis", "REACTIVE, lettuce, SERVLET, jedis" })
	void denialsOfAllInstancesAreAddedWhileRedisAnswers(WebApplicationType type, String client,
			WebApplicationType otherType, String otherClient) {
		try (RedisProcess redis = RedisProcess.start();
				Server one = start(type, redis, client);
				Server other = start(otherType, redis, otherClient)) {
			assertThat(get(one, RULE + "?top")).contains("\"denied\":0,\"top\":[]");
			one.statuses(7, CALL + "ann");
			other.statuses(3, CALL + "ann");
			other.statuses(6, CALL + "bob");
			String all = "\"denied\":6,\"top\":[{\"key\":\"ann:reply\",\"denied\":5,\"error\":0,\"share\":0.8333},"
					+ "{\"key\":\"bob:reply\",\"denied\":1,\"error\":0,\"share\":0.1667}]";
			await().atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(get(one, RULE + "?top")).contains(all)
					.contains("\"countedIn\":\"2 instances; those of others are at most 10 s old\""));
			await().atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(get(other, RULE + "?top")).contains(all));
			assertThat((Long) redis.command("PTTL", "ratelimit:{top}:reply-controller-reply")).isBetween(1L, 600_000L);
			redis.kill();
			assertThat(get(one, RULE + "?top")).contains("\"denied\":2,\"top\":[{\"key\":\"ann:reply\",\"denied\":2,",
					"this instance only, because those of others cannot be read: ");
		}
	}

	@Test
	void sizeThatHasNoMeaningStopsTheStart() {
		for (String mistake : new String[] { "size=-1", "size=1001" }) {
			assertThatThrownBy(() -> Server.startLocal(ForumApplication.class, "ratelimit.top." + mistake).close())
				.hasStackTraceContaining("ratelimit.top." + mistake.replace("=", " = "));
		}
	}

	private static String get(Server server, String path) {
		HttpResponse<String> answer = server.get(path);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return answer.body();
	}

	private static void assertProblem(Server server, String path, int status, String detail) {
		HttpResponse<String> answer = server.get(path);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		assertThat(answer.body()).contains(detail);
	}

	private static Server start(WebApplicationType type, RedisProcess redis, String client) {
		return start(type, "spring.data.redis.port=" + redis.port(), "spring.data.redis.client-type=" + client);
	}

	private static Server start(WebApplicationType type, String... properties) {
		return Server.start(type, ForumApplication.class,
				Stream
					.concat(Stream.of("ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=60s",
							"management.endpoints.web.exposure.include=ratelimits,metrics"), Stream.of(properties))
					.toArray(String[]::new));
	}

}
