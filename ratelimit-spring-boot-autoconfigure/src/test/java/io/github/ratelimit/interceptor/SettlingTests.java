package io.github.ratelimit.interceptor;

import java.math.BigDecimal;
import java.util.Map;
import java.util.function.BiConsumer;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RecordingStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Units that a call refunds or owes when it ends, by the expressions of its rules.
 */
class SettlingTests {

	private final RecordingStore store = new RecordingStore().answerOn(Runnable::run);

	@AutoClose
	private final RecordedLog log = new RecordedLog("io.github.ratelimit.engine.CallFailureLog");

	@Test
	void unusedUnitsAreGivenBack() {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, 3L);
			assertThat(remaining(context, "model", "acme")).isEqualTo(7);
			model.ask("acme", 4, 0L);
			model.ask("acme", 4, 4L);
			assertThat(remaining(context, "model", "acme")).isEqualTo(3);
			assertThat(this.store.refunds()).hasSize(2);
		});
	}

	@Test
	void unitsUsedBeyondTheEstimateAreOwed() {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, 13L);
			model.ask("acme", 0, 5L);
			assertThat(this.store.debts()).extracting(Correction::demand)
				.extracting(Demand::cost)
				.containsExactly(9L, 5L);
		});
	}

	@ParameterizedTest
	@CsvSource({ ", a whole number, null", "-1, 0 or more, -1", "2.5, a whole number, 2.5" })
	void estimateStaysIfTheUsedUnitsAreNone(@Nullable BigDecimal used, String expected, String shown) {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, used);
			model.ask("acme", 4, used);
			assertThat(remaining(context, "model", "acme")).isEqualTo(2);
			String problem = " The settle of rule \"model\" on Model.ask(String, long, Number), \"#result\", has to be "
					+ expected + ", but is " + shown
					+ ". The units that the call took stay counted. This is logged once a " + "minute for each rule.";
			assertThat(this.log.lines()).containsExactly("SEVERE" + problem, "FINE" + problem);
		});
	}

	@Test
	void failedCallWithoutUsedUnitsKeepsItsEstimateSilently() {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.failing("acme"));
			assertThat(remaining(context, "model", "acme")).isEqualTo(6);
			assertThat(this.log.lines()).isEmpty();
		});
	}

	@Test
	void failedCallMayBeFree() {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.freeFailure("acme"));
			assertThat(remaining(context, "free", "acme")).isEqualTo(10);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "#result", "#result.booleanValue()", "!#result?.booleanValue()" })
	void failedCallWithoutResultKeepsItsUnitsSilently(String unless) {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.freeFailure("acme"));
			assertThat(remaining(context, "free", "acme")).isEqualTo(6);
			assertThat(this.log.lines()).isEmpty();
		}, "ratelimit.rules.free.unless=" + unless, "ratelimit.rules.free.settle=4");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#error.cause.message == 'x'", "#error.message" })
	void otherMistakesOfFailedCallsAreErrors(String unless) {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.freeFailure("acme"));
			assertThat(remaining(context, "free", "acme")).isEqualTo(6);
			assertThat(this.log.lines()).singleElement().asString().startsWith("SEVERE The unless of rule \"free\"");
		}, "ratelimit.rules.free.unless=" + unless, "ratelimit.rules.free.settle=4");
	}

	@Test
	void unlessWinsOverSettle() {
		run(Model.class, (context, model) -> {
			model.cached("acme", true);
			assertThat(remaining(context, "cached", "acme")).isEqualTo(10);
			model.cached("acme", false);
			assertThat(remaining(context, "cached", "acme")).isEqualTo(8);
		});
	}

	@Test
	void propertiesReplaceTheExpressionsOfTheAnnotation() {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, 3L);
			assertThat(remaining(context, "model", "acme")).isEqualTo(10);
			model.cached("acme", false);
			assertThat(remaining(context, "cached", "acme")).isEqualTo(9);
		}, "ratelimit.rules.model.unless=#result == 3", "ratelimit.rules.cached.settle=1",
				"ratelimit.rules.cached.unless=false");
	}

	@Test
	void expressionsOfMethodsAreKnown() {
		run(Model.class, (context, model) -> {
			LimitedMethodSource methods = context.getBean(LimitedMethodSource.class);
			assertThat(methods.operations("cached")).extracting(RateLimitOperation::location, RateLimitOperation::ends)
				.containsExactly(tuple("Model.cached(String, boolean)", Map.of("unless", "#result", "settle", "3")));
			assertThat(methods.operations("other")).isEmpty();
		}, "ratelimit.rules.cached.settle=3");
	}

	@Test
	void failureOfAnExpressionIsNoFailureOfTheCall() {
		run(Broken.class, (context, broken) -> {
			assertThat(broken.call()).isEqualTo("done");
			assertThat(broken.call()).isEqualTo("done");
			assertThat(remaining(context, "broken", "")).isEqualTo(3);
			assertThat(this.log.lines()).hasSize(2);
			assertThat(this.log.lines().get(0))
				.startsWith("SEVERE The unless of rule \"broken\" on Broken.call() cannot be evaluated: "
						+ "\"#error.message == 'x'\": ")
				.endsWith(
						"After a value that may be null, write ?. instead of a dot, or first check how the call ended: "
								+ "\"#error == null and ...\". The units that the call took stay counted. This is logged once a minute "
								+ "for each rule.");
		});
	}

	private <T> void run(Class<T> bean, BiConsumer<ApplicationContext, T> test, String... properties) {
		LimitedContext.with(this.store, bean)
			.withPropertyValues(properties)
			.run((context) -> test.accept(context, context.getBean(bean)));
	}

	private static long remaining(ApplicationContext context, String rule, String key) {
		return context.getBean(RateLimiterRegistry.class).limiter(rule).peek(key).remaining();
	}

	static class Model {

		@RateLimited(name = "model", key = "#tenant", max = 10, period = 3600, algorithm = Algorithm.FIXED_WINDOW,
				cost = "#estimate", settle = "#result")
		public @Nullable Number ask(String tenant, long estimate, @Nullable Number used) {
			return used;
		}

		@RateLimited(name = "model", key = "#tenant", cost = "4", settle = "#result.longValue()")
		public Number failing(String tenant) {
			throw new IllegalStateException("on purpose");
		}

		@RateLimited(name = "free", key = "#tenant", max = 10, period = 3600, algorithm = Algorithm.FIXED_WINDOW,
				cost = "4", settle = "#error != null ? 0 : #result")
		public Number freeFailure(String tenant) {
			throw new IllegalStateException("on purpose");
		}

		@RateLimited(name = "cached", key = "#tenant", max = 10, period = 3600, algorithm = Algorithm.FIXED_WINDOW,
				cost = "4", unless = "#result", settle = "2")
		public boolean cached(String tenant, boolean cached) {
			return cached;
		}

	}

	static class Broken {

		@RateLimited(name = "broken", max = 5, period = 3600, unless = "#error.message == 'x'")
		public String call() {
			return "done";
		}

	}

}
