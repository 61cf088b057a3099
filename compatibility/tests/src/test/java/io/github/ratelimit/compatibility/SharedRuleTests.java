package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Rules changed at run time, in two instances that share a Redis.
 */
@OnNewestLine
class SharedRuleTests {

	private static final String RULE = "/actuator/ratelimits/reply-controller-reply";

	private static final String CALL = "/replies?userId=laoqian";

	private static final Duration A_SECOND = Duration.ofSeconds(1);

	private static final Servers SERVERS = new Servers();

	private static final RedisProcess REDIS = RedisProcess.start();

	@AfterAll
	static void stop() {
		SERVERS.close();
		REDIS.close();
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, lettuce, REACTIVE, jedis", "REACTIVE, lettuce, SERVLET, jedis" })
	void changeHoldsInEveryInstanceAndOutlivesThem(WebApplicationType type, String client, WebApplicationType otherType,
			String otherClient) {
		try (RedisProcess redis = RedisProcess.start()) {
			try (Server earlier = start(type, client, redis)) {
				assertThat(earlier.postJson(RULE, "{\"max\":3,\"mode\":\"shadow\"}").statusCode()).isEqualTo(200);
			}
			try (Server one = start(type, client, redis); Server other = start(otherType, otherClient, redis)) {
				assertThat(maxOf(one)).isEqualTo(3);
				assertThat(maxOf(other)).isEqualTo(3);
				assertThat(other.statuses(4, CALL)).containsOnly(200);
				HttpResponse<String> changed = one.postJson(RULE, "{\"max\":4,\"mode\":\"enforce\"}");
				assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
				assertThat(changed.body()).contains("\"overrideHolds\":\"in every instance, until they are removed\"");
				await().until(() -> maxOf(other) == 4);
				assertThat(other.statuses(2, CALL)).isEqualTo(List.of(200, 429));
				assertThat(other.get(RULE + "/laoqian:reply?explain").body()).contains("4 of 4 used",
						"max = 4 comes from run time", "counters in Redis");
				assertThat(other.postJson(RULE, "{\"mode\":\"shadow\"}").statusCode()).isEqualTo(200);
				await().until(() -> one.get(RULE).body().contains("\"mode\":\"shadow\""));
				assertThat(one.statuses(2, CALL)).containsOnly(200);
				assertThat(one.delete(RULE).statusCode()).isEqualTo(200);
				await().until(() -> maxOf(other) == 5);
				assertThat(other.get(RULE).body()).contains("\"mode\":\"enforce\"").doesNotContain("override");
			}
		}
	}

	@Test
	void foreignTextInRedisCanBeReplacedAndRemoved() {
		List<Server> instances = List.of(instance("lettuce"), instance("jedis"));
		for (String text : List.of("'max=\\255'", "'max=nine'", "''")) {
			for (Server instance : instances) {
				for (boolean replaced : List.of(true, false)) {
					REDIS.command("DEL", "ratelimit:{rules}");
					REDIS.command("EVAL", "redis.call('HSET', KEYS[1], 'reply-controller-reply', " + text + ")", "1",
							"ratelimit:{rules}");
					HttpResponse<String> answer = replaced ? instance.postJson(RULE, "{\"max\":4}")
							: instance.delete(RULE);
					assertThat(answer.statusCode()).as(text + ": " + answer.body()).isEqualTo(200);
					await().until(() -> instances.stream().allMatch((seen) -> maxOf(seen) == (replaced ? 4 : 5)));
				}
				assertThat(REDIS.command("HEXISTS", "ratelimit:{rules}", "reply-controller-reply")).as(text)
					.isEqualTo(0L);
			}
		}
	}

	@Test
	void unannouncedChangeIsSeenWithinASecond() {
		Server one = instance("lettuce");
		Server other = instance("jedis");
		REDIS.command("ACL", "SETUSER", "default", "resetchannels");
		REDIS.command("CLIENT", "KILL", "TYPE", "pubsub");
		assertThat(shortestUntilSeen(one, other, 11)).isLessThanOrEqualTo(A_SECOND);
		assertThat(shortestUntilSeen(other, one, 21)).isLessThanOrEqualTo(A_SECOND);
		REDIS.command("ACL", "SETUSER", "default", "allchannels");
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void withoutRedisNothingIsChangedAndKnownChangesStay(String client) {
		RedisProcess redis = RedisProcess.start();
		try (Server server = start(WebApplicationType.SERVLET, client, redis, "ratelimit.redis.timeout=2s")) {
			assertThat(server.postJson(RULE, "{\"max\":4}").statusCode()).isEqualTo(200);
			redis.close();
			HttpResponse<String> refused = server.postJson(RULE, "{\"max\":9}");
			assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
			assertThat(Json.of(refused.body()).text("detail")).contains("Nothing was changed");
			assertThat(server.delete(RULE).statusCode()).isEqualTo(503);
			assertThat(server.postJson(RULE, "{\"max\":0}").statusCode()).isEqualTo(400);
			assertThat(maxOf(server)).isEqualTo(4);
			assertThat(server.statuses(5, CALL)).isEqualTo(List.of(200, 200, 200, 200, 429));
			assertThat(server.get(RULE + "/laoqian:reply?explain").body()).contains("\"origin\":\"fallback\"",
					"4 of 4 used", "Redis cannot answer at the moment. The policy of the rule is local");
		}
	}

	private static long maxOf(Server server) {
		return Long.parseLong(Json.of(server.get(RULE).body()).text("max"));
	}

	/**
	 * Return the shortest time until another instance sees a change. On a busy machine
	 * most of a longer one may be a wait for a core.
	 * @param first the first of ten values to change to
	 */
	private static Duration shortestUntilSeen(Server one, Server other, int first) {
		Duration shortest = Duration.ofDays(1);
		for (int max = first; max < first + 10 && shortest.compareTo(A_SECOND) > 0; max++) {
			int changed = max;
			assertThat(one.postJson(RULE, "{\"max\":" + changed + "}").statusCode()).isEqualTo(200);
			long start = System.nanoTime();
			await().pollInterval(Duration.ofMillis(20)).until(() -> maxOf(other) == changed);
			Duration time = Duration.ofNanos(System.nanoTime() - start);
			shortest = (time.compareTo(shortest) < 0) ? time : shortest;
		}
		return shortest;
	}

	/**
	 * Return an instance that the tests of this class share.
	 */
	private static Server instance(String client) {
		return SERVERS.get(WebApplicationType.SERVLET, ForumApplication.class, properties(client, REDIS));
	}

	private static Server start(WebApplicationType type, String client, RedisProcess redis, String... more) {
		return Server.start(type, ForumApplication.class, properties(client, redis, more));
	}

	private static String[] properties(String client, RedisProcess redis, String... more) {
		return Stream
			.concat(Stream.of("spring.data.redis.port=" + redis.port(), "spring.data.redis.client-type=" + client,
					"ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=60s",
					"management.endpoints.web.exposure.include=ratelimits"), Stream.of(more))
			.toArray(String[]::new);
	}

}
