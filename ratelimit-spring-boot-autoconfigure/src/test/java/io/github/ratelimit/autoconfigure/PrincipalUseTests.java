package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Use of the principal by any rule, known once the application has started.
 */
class PrincipalUseTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ip | false", "principal | true", "principal ?: ip | true", "@keys.of(#root) | true",
					"@keys.of(#this) | true", "claim('tenant') | true", "header('X-Tenant') | false" })
	void useOfThePrincipalIsKnownFromTheKey(String key, boolean used) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withPropertyValues("ratelimit.rules.replies.key=" + key)
			.withBean(Replies.class)
			.withBean("keys", Keys.class)
			.run((context) -> assertThat(context.getBean(LimitedMethodSource.class).mayUsePrincipal()).isEqualTo(used));
	}

	static class Keys {

		public String of(Object root) {
			return "all";
		}

	}

	static class Replies {

		@RateLimited(name = "replies", max = 5, period = 60)
		public void reply() {
		}

	}

}
