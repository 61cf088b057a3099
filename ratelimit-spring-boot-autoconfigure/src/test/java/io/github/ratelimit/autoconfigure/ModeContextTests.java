package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Modes of annotated methods, as {@code application.yml} sets them.
 */
class ModeContextTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner().withUserConfiguration(Search.class);

	@Test
	void shadowRuleOfYamlCountsButDoesNotDeny() {
		this.runner.withInitializer(YamlContext.with("""
				ratelimit:
				  rules:
				    search:
				      mode: shadow
				""")).run((context) -> {
			for (int i = 0; i < 3; i++) {
				context.getBean(Search.class).find("laoqian");
			}
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("search").peek("laoqian").remaining())
				.isZero();
		});
	}

	@Test
	void callWithoutAKeyGoesOnInShadowModeUncounted() {
		this.runner.withPropertyValues("ratelimit.rules.search.mode=shadow").run((context) -> {
			assertThatNoException().isThrownBy(() -> context.getBean(Search.class).find(null));
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("search").peek("null").remaining())
				.isEqualTo(1);
		});
	}

	@Test
	void keyOfARuleThatIsOffIsNotEvaluated() {
		this.runner.withInitializer(YamlContext.with("""
				ratelimit:
				  rules:
				    search:
				      mode: off
				""")).run((context) -> {
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("search").rule().mode()).isEqualTo(Mode.OFF);
			for (int i = 0; i < 3; i++) {
				context.getBean(Search.class).find(null);
			}
		});
	}

	@ParameterizedTest
	@CsvSource({ "shadow, true", "off, true", "enforce, false" })
	void defaultHoldsForAnnotationsThatAreNotInTheProperties(String mode, boolean allowed) {
		this.runner.withInitializer(YamlContext.with("ratelimit.defaults.mode: " + mode)).run((context) -> {
			Search search = context.getBean(Search.class);
			search.find("laoqian");
			if (allowed) {
				assertThatNoException().isThrownBy(() -> search.find("laoqian"));
			}
			else {
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.find("laoqian"));
			}
		});
	}

	@Test
	void ruleMayBeEnforcedWhileTheDefaultIsShadow() {
		this.runner.withPropertyValues("ratelimit.defaults.mode=shadow", "ratelimit.rules.search.mode=enforce")
			.run((context) -> {
				Search search = context.getBean(Search.class);
				search.find("laoqian");
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.find("laoqian"));
			});
	}

	static class Search {

		@RateLimited(name = "search", key = "#user", max = 1, period = 3600)
		public void find(String user) {
		}

	}

}
