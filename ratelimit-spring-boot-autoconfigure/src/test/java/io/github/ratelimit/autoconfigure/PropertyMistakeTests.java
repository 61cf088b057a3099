package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a property stops startup with a message that names the property, the
 * value, the reason and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertyMistakeTests {

	private static final String REPLY = "ratelimit.rules.reply.";

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void stopsStartup(String properties, String description, String action, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(MistakeTable.properties(properties, REPLY)));
		assertThat(failure.description()).isEqualTo(description);
		assertThat(failure.action()).isEqualTo(action);
	}

	static Stream<Arguments> stopsStartup() throws IOException {
		return MistakeTable.rows("properties", REPLY);
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

	/** The application may have a group with the name of one of ours. */
	@Test
	void inAStrictGroupOfTheApplicationStopsStartup() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withUserConfiguration(StrictGroup.class)
			.withInitializer(YamlContext.with("shop.jdbc.timeout: 1s"))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("shop.jdbc.timeout"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(ShopProperties.class)
	static class StrictGroup {

	}

	@ConfigurationProperties(prefix = "shop.jdbc", ignoreUnknownFields = false)
	record ShopProperties(@DefaultValue("10") int rows) {
	}

	@Configuration(proxyBeanMethods = false)
	static class UnreachableRedis {

		@Bean
		LettuceConnectionFactory redis() {
			return new LettuceConnectionFactory("localhost", 1);
		}

	}

}
