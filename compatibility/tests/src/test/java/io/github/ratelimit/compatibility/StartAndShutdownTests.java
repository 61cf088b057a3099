package io.github.ratelimit.compatibility;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Log of an application during startup and shutdown.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartAndShutdownTests {

	private static final String CALL = "/replies?userId=laoqian";

	@ParameterizedTest
	@CsvSource({ "SERVLET, lettuce", "REACTIVE, lettuce", "SERVLET, jedis" })
	void sharedCountersAreReportedAndShutdownWarnsOfNothing(WebApplicationType type, String client,
			CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			String start = output.getAll();
			try (Server server = Server.start(type, ForumApplication.class, "ratelimit.rules.sms.max=1",
					"ratelimit.rules.sms.period=60s", "spring.data.redis.port=" + redis.port(),
					"spring.data.redis.client-type=" + client)) {
				assertThat(server.statuses(2, CALL)).containsOnly(200);
				assertThat(output.getAll().substring(start.length())).containsOnlyOnce("Rate limits: ")
					.containsPattern("Rate limits: \\d+ rules, counted in Redis, together by all instances\\.");
				start = output.getAll();
			}
			assertThat(output.getAll().substring(start.length())).doesNotContain(" WARN ", " ERROR ", "already closed");
		}
	}

	@Test
	void countersOfThisProcessAreReported(CapturedOutput output) {
		try (Server server = Server.startLocal(ForumApplication.class, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s")) {
			assertThat(server.remaining("sms", "laoqian")).isOne();
			assertThat(output).containsOnlyOnce("Rate limits: ")
				.contains("rules, counted in this process, by each instance for itself, because ratelimit.store is "
						+ "local.");
		}
	}

	@Test
	void thatThereIsNoRedisIsReported(CapturedOutput output) {
		String redis = "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration";
		String dataRedis = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";
		try (Server server = Server.start(WebApplicationType.NONE, ForumApplication.class, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s",
				"spring.autoconfigure.exclude=" + (isPresent(redis) ? redis : dataRedis))) {
			assertThat(server.remaining("sms", "laoqian")).isOne();
			assertThat(output).contains("because there is no RedisConnectionFactory.");
		}
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, null);
	}

}
