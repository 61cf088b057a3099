package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fallback with the wrong signature stops startup with a message that states the
 * difference and the correct declaration.
 */
class FallbackMistakeTests {

	private static final String OPTIONAL = " A last parameter RateLimitExceededException is optional.";

	@ParameterizedTest
	@MethodSource
	void messageStatesTheDifferenceAndTheDeclaration(Class<?> bean, String description, String action) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withUserConfiguration(bean)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
					assertThat(mistake.description()).isEqualTo("Invalid @RateLimited on " + description);
					assertThat(mistake.action()).isEqualTo(action);
				}));
	}

	static Stream<Arguments> messageStatesTheDifferenceAndTheDeclaration() {
		return Stream.of(Arguments.of(Missing.class,
				"Missing.call(Map, int[]): fallback \"instead\" does not fit: there is no method \"instead\" in "
						+ "Missing. Did you mean instaed?",
				"Write fallback = \"instaed\", or add the method: List<String> instead(Map<String, Integer> texts, int[] numbers)."
						+ OPTIONAL),
				Arguments.of(WithParentheses.class,
						"WithParentheses.call(): fallback \"denied()\" does not fit: \"denied()\" is not the name of a "
								+ "method.",
						"Write the name alone: fallback = \"denied\"."),
				Arguments.of(OtherParameters.class,
						"OtherParameters.call(String): fallback \"instead\" does not fit: the parameters of "
								+ "OtherParameters.instead(RateLimitExceededException, String) are not (String) as those "
								+ "of the limited method.",
						"Write: String instead(String text)." + OPTIONAL),
				Arguments.of(OtherReturnType.class, "OtherReturnType.call(String): fallback \"instead\" does not fit: "
						+ "OtherReturnType.instead(String, RateLimitExceededException) returns Object, not String "
						+ "as the limited method does.", "Let it return that: String instead(String text)."));
	}

	static class Missing {

		@RateLimited(max = 5, period = 60, fallback = "instead")
		public List<String> call(Map<String, Integer> texts, int[] numbers) {
			return List.of();
		}

		List<String> instaed(Map<String, Integer> texts, int[] numbers) {
			return List.of();
		}

	}

	static class WithParentheses {

		@RateLimited(max = 5, period = 60, fallback = "denied()")
		public String call() {
			return "";
		}

		String denied() {
			return "";
		}

	}

	static class OtherParameters {

		@RateLimited(max = 5, period = 60, fallback = "instead")
		public String call(String text) {
			return text;
		}

		String instead(RateLimitExceededException denial, String text) {
			return text;
		}

	}

	static class OtherReturnType {

		@RateLimited(max = 5, period = 60, fallback = "instead")
		public String call(String text) {
			return text;
		}

		Object instead(String text, RateLimitExceededException denial) {
			return text;
		}

	}

}
