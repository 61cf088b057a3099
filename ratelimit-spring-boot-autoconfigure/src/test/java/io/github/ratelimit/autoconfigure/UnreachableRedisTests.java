package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.redis.process.FreePort;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages for a user whose Redis is not at the configured address.
 */
class UnreachableRedisTests {

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void warningNamesAddressAndProperties(String client) throws Exception {
		int port = FreePort.find();
		try (RecordedLog log = new RecordedLog(Class.forName("io.github.ratelimit.engine.StoreReport"))) {
			LimitedApplication.runner(RedisAutoConfiguration.class)
				.withPropertyValues("spring.data.redis.client-type=" + client, "spring.data.redis.port=" + port,
						"spring.data.redis.password=secret")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					Awaitility.await().until(() -> warnings(log).count() > 0);
					assertThat(warnings(log)).singleElement()
						.asString()
						.startsWith("WARNING The store of rate limits cannot answer (Redis at localhost:" + port
								+ ", set by spring.data.redis.host and spring.data.redis.port or by "
								+ "spring.data.redis.url, ")
						.endsWith("). Until it can, rules follow their on-store-failure policy, by default local.")
						.doesNotContain("secret");
				});
		}
	}

	@Test
	void startReportDoesNotClaimThatRedisCounts() {
		int port = FreePort.find();
		try (RecordedLog log = new RecordedLog(StartReport.class)) {
			LimitedApplication.runner(RedisAutoConfiguration.class)
				.withPropertyValues("spring.data.redis.port=" + port)
				.run((context) -> assertThat(log.lines()).containsExactly(
						"INFO Rate limits: 0 rules, counted in Redis, together by all instances, as soon as Redis answers."));
		}
	}

	private static Stream<String> warnings(RecordedLog log) {
		return log.lines().stream().filter((line) -> line.startsWith("WARNING"));
	}

}
