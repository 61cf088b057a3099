package io.github.ratelimit.interceptor;

import java.math.BigDecimal;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.Demand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much a call takes, and whether it takes anything.
 */
class CostAndConditionTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@ValueSource(strings = { "3", "0", "1000000000000", "2.0" })
	void costIsAWholeNumber(String cost) {
		assertThat(call(new BigDecimal(cost), true).thrown()).isNull();
		assertThat(this.store.asked()).extracting(Demand::cost).containsExactly(new BigDecimal(cost).longValueExact());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2.5                  | has to be a whole number, but is 2.5.
			-1                   | has to be 0 or more, but is -1. To give units back, use a refund.
			9223372036854775808  | has to be a whole number, but is 9223372036854775808.
			                     | has to be a whole number, but is null.
			""")
	void costThatIsNoneIsRefused(BigDecimal cost, String message) {
		assertThat(call(cost, true).thrown()).isExactlyInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("rule \"calls-call\"")
			.hasMessageEndingWith(message);
		assertThat(this.store.asked()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "true, 1", "false, 0", ", 0" })
	void callIsLimitedOnlyWhenTheConditionIsTrue(Boolean condition, int asked) {
		assertThat(call(1, condition).value()).isEqualTo("done");
		assertThat(this.store.asked()).hasSize(asked);
	}

	private CallOutcome call(Number cost, Boolean condition) {
		CallOutcome[] outcome = new CallOutcome[1];
		LimitedContext.with(this.store, Calls.class)
			.run((context) -> outcome[0] = CallOutcome.of(() -> context.getBean(Calls.class).call(cost, condition)));
		return outcome[0];
	}

	static class Calls {

		@RateLimited(cost = "#cost", condition = "#condition", max = 5, period = 60)
		public String call(Number cost, Boolean condition) {
			return "done";
		}

	}

}
