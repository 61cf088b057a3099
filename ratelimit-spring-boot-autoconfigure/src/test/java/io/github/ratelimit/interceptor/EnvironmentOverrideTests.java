package io.github.ratelimit.interceptor;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotation attributes are defaults: the environment overrides them one by one.
 */
class EnvironmentOverrideTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			                                          | token-bucket 5 per 1m with a burst of 2
			max=7                                     | token-bucket 7 per 1m with a burst of 2
			period=1h                                 | token-bucket 5 per 1h with a burst of 2
			burst=3                                   | token-bucket 5 per 1m with a burst of 3
			max=7, period=10                          | token-bucket 7 per 10s with a burst of 2
			limits[0].max=9, limits[0].period=1d      | token-bucket 9 per 1d with a burst of 2
			""")
	void propertyOverridesOneAttribute(String properties, String limit) {
		LimitedContext.with(this.store, Calls.class).withPropertyValues(ofRule(properties)).run((context) -> {
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("calls").rule().limits())
				.hasToString("[" + limit + "]");
			context.getBean(Calls.class).call("laoqian");
			assertThat(this.store.keys()).containsExactly("laoqian");
		});
	}

	@Test
	void keyOfTheEnvironmentWins() {
		LimitedContext.with(this.store, Calls.class)
			.withPropertyValues("ratelimit.rules.calls.key=#userId + ':yaml'")
			.run((context) -> {
				context.getBean(Calls.class).call("laoqian");
				assertThat(this.store.keys()).containsExactly("laoqian:yaml");
			});
	}

	@Test
	void algorithmOfTheEnvironmentWins() {
		LimitedContext.with(this.store, NameOnly.class)
			.withPropertyValues("ratelimit.rules.name-only-call.max=2", "ratelimit.rules.name-only-call.period=60",
					"ratelimit.defaults.algorithm=token-bucket")
			.run((context) -> {
				context.getBean(NameOnly.class).call();
				assertThat(this.store.rules()).containsExactly("name-only-call");
				assertThat(context.getBean(RateLimiterRegistry.class).limiter("name-only-call").rule().limits())
					.hasToString("[token-bucket 2 per 1m]");
			});
	}

	@Test
	void ruleOfTheEnvironmentNeedsOnlyItsNameInAnnotations() {
		LimitedContext.with(this.store, Shared.class).withPropertyValues(ofRule("max=3, period=60")).run((context) -> {
			context.getBean(Shared.class).one();
			context.getBean(Shared.class).two();
			assertThat(this.store.rules()).containsExactly("calls", "calls");
		});
	}

	private static String[] ofRule(String properties) {
		return (properties == null) ? new String[0]
				: Stream.of(properties.split(", ")).map("ratelimit.rules.calls."::concat).toArray(String[]::new);
	}

	static class Calls {

		@RateLimited(name = "calls", key = "#userId", max = 5, period = 1, unit = TimeUnit.MINUTES, burst = 2,
				algorithm = Algorithm.TOKEN_BUCKET)
		public void call(String userId) {
		}

	}

	static class NameOnly {

		@RateLimited
		public void call() {
		}

	}

	static class Shared {

		@RateLimited("calls")
		public void one() {
		}

		@RateLimited("calls")
		public void two() {
		}

	}

}
