package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists of keys in properties, and mistakes in them, which stop startup.
 */
class KeyListMistakeTests {

	private static final String API = "ratelimit.rules.api.";

	private final WebApplicationContextRunner application = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class))
		.withBean(Replies.class)
		.withPropertyValues(API + "max=5", API + "period=60", "ratelimit.store=local");

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					allow=10.0.0.0/33 | ratelimit.rules.api.allow[0] = "10.0.0.0/33" is invalid: it is not a network. | Write an address
					deny=fine,10.0/8 | ratelimit.rules.api.deny[1] = "10.0/8" is invalid: it is not a network. | Write an address
					deny=10.1.0.0/8 | deny[0] = "10.1.0.0/8" is invalid: the address has bits set after the first 8. | Write "10.0.0.0/8"
					key=ip, deny[0]=bob | ratelimit.rules.api.deny[0] = "bob" is invalid: the key of the rule is ip, and the entry is neither an address nor a network. | Write an address or a network, "10.0.0.1" or
					key=ip, allow=10.0.0 | ratelimit.rules.api.allow[0] = "10.0.0" is invalid: the key of the rule is ip, and the entry is neither an address nor a network. | Write an address or
					key=ip, allow=2001:db8::1 | ratelimit.rules.api.allow[0] = "2001:db8::1" is invalid: the key of the rule is ip, and an IPv6 client is counted by its network of 64 bits. | Write that network, "2001:db8:0:0:0:0:0:0/64", or set ratelimit.web.ipv6-prefix to 128.
					""")
	void stopsStartup(String properties, String description, String action) {
		this.application.withPropertyValues(Stream.of(properties.split(", ")).map(API::concat).toArray(String[]::new))
			.run((context) -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
					assertThat(mistake.description()).contains(description);
					assertThat(mistake.action()).startsWith(action);
				}));
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.web.requests[0].key=ip", "ratelimit.rules.api.key=ip" })
	void networkThatIsSmallerThanThatOfAClientIsRefusedForUrlRules(String key) {
		this.application
			.withPropertyValues(API + "deny[0]=10.0.0.1", API + "deny[1]=2001:db8::/65",
					"ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=api", key)
			.run((context) -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.hasMessageStartingWith("ratelimit.rules.api.deny[1] = \"2001:db8::/65\" is invalid: "));
	}

	@Test
	void networkThatIsSmallerThanThatOfAClientIsRefusedForMethods() {
		this.application.withPropertyValues("ratelimit.rules.reply.allow=2001:db8::1")
			.run((context) -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.hasMessageStartingWith("ratelimit.rules.reply.allow[0] = \"2001:db8::1\" is invalid: "));
	}

	@Test
	void networksOfTheLengthOfClientsAreTaken() {
		this.application
			.withPropertyValues(API + "key=ip", API + "allow=2001:db8::1,10.0.0.1", "ratelimit.web.ipv6-prefix=128")
			.run((context) -> assertThat(context).hasNotFailed());
		this.application
			.withPropertyValues(API + "key=#tenant", API + "allow=2001:db8::1,10.0.0.1",
					"ratelimit.rules.reply.deny=192.0.2.7,2001:db8::/64")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				RateLimiterRegistry limiters = context.getBean(RateLimiterRegistry.class);
				assertThat(limiters.limiter("api").rule().lists().allow()).containsExactly("2001:db8::1", "10.0.0.1");
				assertThat(limiters.limiter("reply").rule().lists().deny()).containsExactly("192.0.2.7",
						"2001:db8::/64");
			});
	}

	@Test
	void keyOfAnotherUserOfTheRuleIsTaken() {
		this.application
			.withPropertyValues("ratelimit.rules.reply.deny=mallory", "ratelimit.web.requests[0].path=/**",
					"ratelimit.web.requests[0].rule=reply", "ratelimit.web.requests[0].key=principal")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class Replies {

		@RateLimited(name = "reply", key = "ip", max = 5, period = 60)
		public void reply() {
		}

	}

}
