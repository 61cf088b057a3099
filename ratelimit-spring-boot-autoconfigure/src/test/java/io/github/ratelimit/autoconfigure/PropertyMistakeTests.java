package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a property outside of rules, a name or a duration stops startup with a
 * message that names the property, the value, the reason and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertyMistakeTests {

	private static final String REPLY = "ratelimit.rules.reply.";

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void stopsStartup(String properties, String description, String action, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(properties.split(", ")));
		assertThat(failure.description()).isEqualTo(description);
		assertThat(failure.action()).isEqualTo(action);
	}

	static Stream<Arguments> stopsStartup() {
		return Stream.of(
				mistake("ratelimit.defaults.algorithm=default",
						"ratelimit.defaults.algorithm = default is invalid: it would be its own default.",
						"Write algorithm: sliding-log or algorithm: token-bucket for example."),
				mistake("ratelimit.redis.fallback-share=1.5",
						"ratelimit.redis.fallback-share = 1.5 is invalid: it is the part of each limit that one instance "
								+ "admits by itself.",
						"Write a number above 0 and up to 1, fallback-share: 0.25 for 4 instances."),
				mistake("ratelimit.redis.fallback-share=0",
						"ratelimit.redis.fallback-share = 0.0 is invalid: it is the part of each limit that one instance "
								+ "admits by itself.",
						"Write a number above 0 and up to 1, fallback-share: 0.25 for 4 instances."),
				mistake("ratelimit.redis.max-pending=0",
						"ratelimit.redis.max-pending = 0 is invalid: no call could reach Redis.",
						"Write how many calls may wait for Redis, max-pending: 10000 for example."),
				mistake("ratelimit.redis.deny-cache.max-size=0",
						"ratelimit.redis.deny-cache.max-size = 0 is invalid: nothing could be remembered.",
						"Write how many denials to remember, max-size: 10000 for example, or enabled: false."),
				mistake("ratelimit.redis.deny-cache.max-ttl=0s",
						"ratelimit.redis.deny-cache.max-ttl = 0ms is invalid: nothing could be remembered.",
						"Write how long, max-ttl: 1s for example, or enabled: false."),
				mistake("ratelimit.redis.timeout=0ms",
						"ratelimit.redis.timeout = 0ms is invalid: no reply from Redis could arrive in time.",
						"Write how long a call may wait, timeout: 100ms for example."),
				mistake("ratelimit.redis.timeout=61s",
						"ratelimit.redis.timeout = 61s is invalid: callers would wait that long for a Redis that hangs.",
						"Write how long a call may wait, timeout: 100ms for example and at most 60s."),
				mistake("ratelimit.redis.timeout=300000d",
						"ratelimit.redis.timeout = 300000d is invalid: callers would wait that long for a Redis that hangs.",
						"Write how long a call may wait, timeout: 100ms for example and at most 60s."),
				mistake("ratelimit.adaptive.interval=0",
						"ratelimit.adaptive.interval = 0ms is invalid: there has to be a pause between two readings of a "
								+ "signal.",
						"Write how often signals are read, interval: 1s for example."),
				mistake("ratelimit.adaptive.interval=-1s",
						"ratelimit.adaptive.interval = -1s is invalid: there has to be a pause between two readings of a "
								+ "signal.",
						"Write how often signals are read, interval: 1s for example."),
				mistake("ratelimit.local.max-keys=0",
						"ratelimit.local.max-keys = 0 is invalid: nothing could be counted.",
						"Write how many keys to keep, max-keys: 100000 for example."),
				mistake("ratelimit.web.ipv6-prefix=0",
						"ratelimit.web.ipv6-prefix = 0 is invalid: an IPv6 address has 128 bits.",
						"Write a number from 1 to 128, ipv6-prefix: 64 for the usual network of one client."),
				mistake("ratelimit.web.ipv6-prefix=129",
						"ratelimit.web.ipv6-prefix = 129 is invalid: an IPv6 address has 128 bits.",
						"Write a number from 1 to 128, ipv6-prefix: 64 for the usual network of one client."),
				mistake("ratelimit.key-prefix= ",
						"ratelimit.key-prefix = \" \" is invalid: keys without a prefix would mix with those of others.",
						"Write a word, key-prefix: ratelimit for example."),
				mistake("ratelimit.store=redis",
						"ratelimit.store = redis is invalid: there is no RedisConnectionFactory bean.",
						"Add spring-boot-starter-data-redis and configure spring.data.redis, or set "
								+ "ratelimit.store to local."),
				mistake("ratelimit.rules.Reply_1.max=5, ratelimit.rules.Reply_1.period=60",
						"ratelimit.rules.Reply_1 = \"Reply_1\" is invalid: "
								+ "the name of a rule becomes part of Redis keys, headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"reply-1\" for example."),
				mistake("ratelimit.rules.sms.limits[0].max=5, ratelimit.rules.sms.limits[0].period=60, "
						+ "ratelimit.rules.sms.limits[1].max=9, ratelimit.rules.sms.limits[1].period=1d",
						"ratelimit.rules.sms.limits[0].name is missing: rule \"sms\" has several limits, and each needs a name of its own.",
						"Name them, \"minute\" and \"day\" for example."),
				mistake("ratelimit.rules.sms.limits[0].name=day, ratelimit.rules.sms.limits[0].max=5, "
						+ "ratelimit.rules.sms.limits[0].period=60, ratelimit.rules.sms.limits[1].name=day, "
						+ "ratelimit.rules.sms.limits[1].max=9, ratelimit.rules.sms.limits[1].period=1d",
						"ratelimit.rules.sms.limits[1].name = day is invalid: rule \"sms\" has several limits, and each needs a name of its own.",
						"Name them, \"minute\" and \"day\" for example."));
	}

	/**
	 * A huge duration in any unit neither overflows nor turns into a small one.
	 */
	@ParameterizedTest(name = "{0}={1}")
	@MethodSource
	void ofADurationBeyondAllMeasureStopsStartup(String property, String duration, CapturedOutput output) {
		String rule = property.contains("limits") ? REPLY + "limits[0].max" : REPLY + "max";
		List<String> properties = List.of(rule + "=5", REPLY + "algorithm=warm-up", property + '=' + duration,
				property.endsWith(".period") ? "debug=false" : REPLY + "period=60s");
		StartFailure failure = StartFailure.of(output, List.of(), properties);
		assertThat(failure.description()).startsWith(property + " = ").contains(duration, " is invalid: ");
		assertThat(failure.action()).startsWith("Write ")
			.contains(property.substring(property.lastIndexOf('.') + 1) + ": ");
	}

	static Stream<Arguments> ofADurationBeyondAllMeasureStopsStartup() {
		List<String> properties = List.of(REPLY + "period", REPLY + "max-wait", REPLY + "prefetch",
				REPLY + "min-interval", REPLY + "warm-up-period", REPLY + "limits[0].period", "ratelimit.redis.timeout",
				"ratelimit.redis.deny-cache.max-ttl", "ratelimit.adaptive.interval");
		return Stream.of("1000000000000d", "9223372036854775807d")
			.flatMap((duration) -> properties.stream().map((property) -> Arguments.of(property, duration)));
	}

	@Test
	void shareOfARuleThatIsNoneStopsStartup(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(UnreachableRedis.class),
				List.of("ratelimit.redis.fallback-share=0.5", REPLY + "max=3", REPLY + "period=366d",
						REPLY + "algorithm=token-bucket", REPLY + "burst=32"));
		assertThat(failure.description())
			.isEqualTo("ratelimit.redis.fallback-share = 0.5 is invalid: while the store cannot "
					+ "answer, one instance would count the rule \"reply\", token-bucket 3 per 366d with a burst of 32, with "
					+ "a max of 1, and then burst = 16 is invalid: at 1 per 366d an empty bucket takes more than 3660 days to "
					+ "refill. Write a smaller burst or a higher rate.");
		assertThat(failure.action())
			.isEqualTo("Write a larger share, or on-store-failure: allow or deny for this rule.");
	}

	private static Arguments mistake(String properties, String description, String action) {
		return Arguments.of(properties, description, action);
	}

	@Configuration(proxyBeanMethods = false)
	static class UnreachableRedis {

		@Bean
		LettuceConnectionFactory redis() {
			return new LettuceConnectionFactory("localhost", 1);
		}

	}

}
