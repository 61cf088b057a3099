package io.github.ratelimit.autoconfigure;

import java.util.Map;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning names properties below a prefix that is similar to {@code ratelimit}.
 */
class MisspelledPrefixTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	@AutoClose
	private final RecordedLog log = new RecordedLog(MisspelledPrefixWarning.class);

	@ParameterizedTest
	@ValueSource(strings = { "rate-limiter", "ratelimits", "ratelimt", "spring.ratelimit", "spring.rate-limit",
			"rate.limit" })
	void warnsOncePerPrefix(String prefix) {
		this.runner
			.withInitializer(YamlContext.with(prefix + ": { rules: { reply: { max: 5, period: 60s } }, store: local }"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly("WARNING " + prefix + ".rules.reply.max has no effect on rate "
				+ "limits, whose properties begin with ratelimit. It is set in , line 1. Did you mean "
				+ "ratelimit.rules.reply.max?");
	}

	@Test
	void warnsOfAnEnvironmentVariable() {
		Map<String, Object> variables = Map.of("RATE_LIMIT_RULES_REPLY_MAX", "9");
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								variables)))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly("WARNING rate.limit.rules.reply.max has no effect on rate limits, "
				+ "whose properties begin with ratelimit. Did you mean ratelimit.rules.reply.max?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rate-limit", "rate_limit", "rateLimit" })
	void otherSpellingsOfThePrefixAreTheSame(String prefix) {
		this.runner.withInitializer(YamlContext.with(prefix + ": { rules: { reply: { max: 5, period: 60s } } }"))
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).rules()).hasSize(1));
		assertThat(this.log.lines()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimiter.enabled=true", "ratelimiter.rules.maximum=5", "rates.rules.reply.max=5",
			"resilience4j.ratelimiter.rules.reply.max=5" })
	void noWarningAboutPropertiesOfOthers(String property) {
		this.runner.withPropertyValues(property).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

}
