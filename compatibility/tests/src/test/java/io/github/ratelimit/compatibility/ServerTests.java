package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses of a limited application, over real HTTP and with a real Redis.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerTests {

	private final WebApplicationType type;

	private final String redisClient;

	private RedisProcess redis;

	private Server server;

	private final Servers servers = new Servers();

	ServerTests(WebApplicationType type, String redisClient) {
		this.type = type;
		this.redisClient = redisClient;
	}

	@BeforeAll
	void start() {
		this.redis = RedisProcess.start();
		this.server = server(ForumApplication.class, "ratelimit.rules.sms.limits[0].name=minute",
				"ratelimit.rules.sms.limits[0].max=1", "ratelimit.rules.sms.limits[0].period=1m",
				"ratelimit.rules.sms.limits[1].name=day", "ratelimit.rules.sms.limits[1].max=10",
				"ratelimit.rules.sms.limits[1].period=1d");
	}

	@AfterAll
	void stop() {
		this.servers.close();
		this.redis.close();
	}

	final Server server(Class<?> application, String... properties) {
		String[] all = Stream
			.concat(Stream.of("spring.data.redis.port=" + this.redis.port(),
					"spring.data.redis.client-type=" + this.redisClient), Arrays.stream(properties))
			.toArray(String[]::new);
		return this.servers.get(this.type, application, all);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/replies", "/mono", "/flux", "/future" })
	void deniesSixthCallOfAUserAndNoneOfOthers(String path) {
		assertThat(this.server.statuses(6, path + "?userId=laoqian")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
		assertThat(this.server.post(path + "?userId=other").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/replies", "/mono", "/flux", "/future" })
	void allowedResponsesContainTheState(String path) {
		HttpResponse<String> first = this.server.post(path + "?userId=allowed");
		String rule = "\"reply-controller-" + path.substring(1).replace("replies", "reply") + '"';
		assertThat(first.headers().allValues("RateLimit-Policy")).containsExactly(rule + ";q=5;w=60");
		assertThat(first.headers().allValues("RateLimit")).containsExactly(rule + ";r=4;t=60");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/replies", "/mono", "/flux", "/future" })
	void answersDeniedCallsWithProblemDetails(String path) {
		this.server.statuses(5, path + "?userId=denied");
		HttpResponse<String> denied = this.server.post(path + "?userId=denied");
		String rule = "reply-controller-" + path.substring(1).replace("replies", "reply");
		long seconds = denied.headers().firstValueAsLong("Retry-After").orElseThrow();
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(seconds).isBetween(1L, 60L);
		assertThat(denied.headers().allValues("RateLimit-Policy")).containsExactly('"' + rule + "\";q=5;w=60");
		assertThat(denied.headers().allValues("RateLimit")).containsExactly('"' + rule + "\";r=0;t=" + seconds);
		assertThat(denied.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
		Json problem = Json.of(denied.body());
		assertThat(problem.text("type")).isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
		assertThat(problem.text("status")).isEqualTo("429");
		assertThat(problem.text("instance")).isEqualTo(path);
		assertThat(problem.text("title")).isNotBlank();
		assertThat(problem.text("detail")).contains(rule, "5 per 60 s");
		assertThat(problem.text("violated-policies")).contains(rule);
		long milliseconds = Long.parseLong(problem.text("retry-after-ms"));
		assertThat(milliseconds).isBetween((seconds - 1) * 1000, seconds * 1000);
		assertThat(denied.body()).doesNotContain("userId").doesNotContain("=denied");
	}

	@Test
	void limitsCallsThatWaitForTheirBody() {
		String reply = "{\"user\":\"laoqian\"}";
		HttpResponse<String> first = this.server.postJson("/bodies", reply);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(first.headers().firstValue("RateLimit")).hasValue("\"reply-controller-body\";r=4;t=60");
		for (int i = 0; i < 4; i++) {
			this.server.postJson("/bodies", reply);
		}
		assertThat(this.server.postJson("/bodies", reply).statusCode()).isEqualTo(429);
	}

	@Test
	void limitsByAddress() {
		assertThat(this.server.statuses(6, "/address")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
	}

	@Test
	void responsesContainEveryLimitOfARuleFromProperties() {
		HttpResponse<String> first = this.server.post("/sms");
		assertThat(first.headers().firstValue("RateLimit-Policy"))
			.hasValue("\"sms-minute\";q=1;w=60, \"sms-day\";q=10;w=86400");
		assertThat(first.headers().firstValue("RateLimit"))
			.hasValue("\"sms-minute\";r=0;t=60, \"sms-day\";r=9;t=86400");
		HttpResponse<String> second = this.server.post("/sms");
		assertThat(second.statusCode()).isEqualTo(429);
		assertThat(second.headers().firstValue("RateLimit").orElseThrow()).contains("\"sms-day\";r=9;t=");
		assertThat(Json.of(second.body()).text("violated-policies")).contains("sms-minute").doesNotContain("sms-day");
	}

	@Test
	void refusesToCountCallsWithoutAKeyTogether() {
		assertThat(this.server.statuses(7, "/replies")).containsOnly(400);
		assertThat(Json.of(this.server.post("/replies").body()).text("missing")).isEqualTo("parameter userId");
	}

	@Test
	void catchAllHandlerDoesNotTurnTheDenialIntoAnError() {
		Server application = server(CatchAllApplication.class);
		assertThat(application.statuses(2, "/once")).isEqualTo(List.of(200, 429));
	}

	@Test
	void handlerOfTheApplicationWins() {
		Server application = server(OwnHandlerApplication.class);
		assertThat(application.statuses(2, "/own")).isEqualTo(List.of(200, 409));
	}

	@Test
	void propertiesOverrideTheAnnotation() {
		Server application = server(ForumApplication.class, "ratelimit.rules.reply-controller-reply.max=2",
				"ratelimit.rules.reply-controller-reply.key=#userId", "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60", "ratelimit.key-prefix=overridden", "ratelimit.web.headers=none");
		assertThat(application.statuses(3, "/replies?userId=laoqian")).isEqualTo(List.of(200, 200, 429));
		assertThat(application.post("/replies?userId=new").headers().firstValue("RateLimit")).isEmpty();
		assertThat(this.redis.command("EXISTS", "overridden:{reply-controller-reply:laoqian}:times")).isEqualTo(1L);
	}

}
