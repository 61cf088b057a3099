package io.github.ratelimit.interceptor;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.Demand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cost and condition of a call.
 */
class CostAndConditionTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@ValueSource(strings = { "3", "0", "1000000000000", "2.0" })
	void costIsAWholeNumber(String cost) {
		assertThat(call(new BigDecimal(cost), true).thrown()).isNull();
		assertThat(this.store.demands()).extracting(Demand::cost)
			.containsExactly(new BigDecimal(cost).longValueExact());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2.5                  | has to be a whole number, but is 2.5.
			-1                   | has to be 0 or more, but is -1. To refund units, call refund().
			9223372036854775808  | has to be a whole number, but is 9223372036854775808.
			                     | has to be a whole number, but is null.
			""")
	void costThatIsNoneIsRefused(BigDecimal cost, String message) {
		assertThat(call(cost, true).thrown()).isExactlyInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("rule \"calls-call\"")
			.hasMessageEndingWith(message);
		assertThat(this.store.demands()).isEmpty();
	}

	@Test
	void composedAnnotationPassesItsCostOn() {
		LimitedContext.with(this.store, Heavy.class).run((context) -> {
			context.getBean(Heavy.class).byDefault();
			context.getBean(Heavy.class).written();
			assertThat(this.store.demands()).extracting(Demand::cost).containsExactly(5L, 7L);
		});
	}

	@ParameterizedTest
	@CsvSource({ "true, 1", "false, 0" })
	void callIsLimitedOnlyWhenTheConditionIsTrue(boolean condition, int calls) {
		assertThat(call(1, condition).value()).isEqualTo("done");
		assertThat(this.store.demands()).hasSize(calls);
	}

	@ParameterizedTest
	@CsvSource({ "true, 1", "TRUE, 1", "on, 1", "yes, 1", "1, 1", "false, 0", "off, 0", "no, 0", "0, 0" })
	void textThatMeansABooleanIsOne(String condition, int calls) {
		assertThat(call(1, condition).value()).isEqualTo("done");
		assertThat(call(1, Optional.of(condition)).value()).isEqualTo("done");
		assertThat(this.store.demands()).hasSize(2 * calls);
	}

	@ParameterizedTest
	@MethodSource
	void conditionThatIsNeitherTrueNorFalseFailsTheCall(Object condition, String what) {
		assertThat(call(1, condition).thrown()).isExactlyInstanceOf(IllegalArgumentException.class)
			.hasMessage(
					"The condition of rule \"calls-call\" on Calls.call(Number, Object) has to be true or false, but is "
							+ what + ".");
		assertThat(this.store.demands()).isEmpty();
	}

	static Stream<Arguments> conditionThatIsNeitherTrueNorFalseFailsTheCall() {
		return Stream.of(Arguments.of(null, "null"), Arguments.of(Optional.empty(), "null"),
				Arguments.of("", "another text"), Arguments.of("maybe", "another text"),
				Arguments.of(1, "a java.lang.Integer"),
				Arguments.of(List.of(), "a java.util.ImmutableCollections$ListN"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "costOfNothing", "conditionOfNothing" })
	void expressionThatCannotBeEvaluatedNamesRuleMethodAndExpression(String method) {
		String attribute = method.replace("OfNothing", "");
		LimitedContext.with(this.store, Failing.class).run((context) -> {
			Failing bean = context.getBean(Failing.class);
			Throwable thrown = CallOutcome
				.of(() -> attribute.equals("cost") ? bean.costOfNothing(null) : bean.conditionOfNothing(null))
				.thrown();
			assertThat(thrown).isExactlyInstanceOf(RateLimitExpressionException.class)
				.hasMessageStartingWith("The " + attribute + " of rule \"failing-" + attribute
						+ "-of-nothing\" on Failing." + method + "(List) cannot be evaluated: \"#texts.size()")
				.hasMessageEndingWith("After a value that may be null, write ?. instead of a dot.");
			assertThat(((RateLimitExpressionException) thrown).rule())
				.isEqualTo("failing-" + attribute + "-of-nothing");
		});
		assertThat(this.store.demands()).isEmpty();
	}

	static class Failing {

		@RateLimited(cost = "#texts.size()", max = 5, period = 60)
		public String costOfNothing(List<String> texts) {
			return "done";
		}

		@RateLimited(condition = "#texts.size() > 1", max = 5, period = 60)
		public String conditionOfNothing(List<String> texts) {
			return "done";
		}

	}

	private CallOutcome call(Number cost, Object condition) {
		CallOutcome[] outcome = new CallOutcome[1];
		LimitedContext.with(this.store, Calls.class)
			.run((context) -> outcome[0] = CallOutcome.of(() -> context.getBean(Calls.class).call(cost, condition)));
		return outcome[0];
	}

	static class Calls {

		@RateLimited(cost = "#cost", condition = "#condition", max = 5, period = 60)
		public String call(Number cost, Object condition) {
			return "done";
		}

	}

	static class Heavy {

		@Costly
		public void byDefault() {
		}

		@Costly(units = "7")
		public void written() {
		}

	}

	@RateLimited(period = 60, max = 50)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Costly {

		@AliasFor(annotation = RateLimited.class, attribute = "cost")
		String units() default "5";

	}

}
