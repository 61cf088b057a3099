package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A fallback with the wrong signature stops startup with a message that states the
 * difference and the correct declaration.
 */
@ExtendWith(OutputCaptureExtension.class)
class FallbackMistakeTests {

	@ParameterizedTest
	@MethodSource
	void stopsStartup(AnnotationMistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<AnnotationMistake> stopsStartup() {
		return AnnotationMistake.table("Fallbacks",
				"""
						static class Missing {
							@RateLimited(max = 5, period = 60, fallback = "instead") public List<String> call(Map<String, Integer> texts, int[] numbers) { return List.of(); }
							List<String> instaed(Map<String, Integer> texts, int[] numbers) { return List.of(); } }
						Invalid @RateLimited on Missing.call(Map, int[]): fallback "instead" does not fit: there is no method "instead" in Missing. Did you mean instaed?
						Write fallback = "instaed", or add the method: List<String> instead(Map<String, Integer> texts, int[] numbers). A last parameter RateLimitExceededException is optional.

						static class WithParentheses { @RateLimited(max = 5, period = 60, fallback = "denied()") public String call() { return ""; } String denied() { return ""; } }
						Invalid @RateLimited on WithParentheses.call(): fallback "denied()" does not fit: "denied()" is not the name of a method.
						Write the name alone: fallback = "denied".

						static class OtherParameters {
							@RateLimited(max = 5, period = 60, fallback = "instead") public String call(String text) { return text; }
							String instead(RateLimitExceededException denial, String text) { return text; } }
						Invalid @RateLimited on OtherParameters.call(String): fallback "instead" does not fit: the parameters of OtherParameters.instead(RateLimitExceededException, String) are not (String) as those of the limited method.
						Write: String instead(String text). A last parameter RateLimitExceededException is optional.

						static class OtherReturnType {
							@RateLimited(max = 5, period = 60, fallback = "instead") public String call(String text) { return text; }
							Object instead(String text, RateLimitExceededException denial) { return text; } }
						Invalid @RateLimited on OtherReturnType.call(String): fallback "instead" does not fit: OtherReturnType.instead(String, RateLimitExceededException) returns Object, not String as the limited method does.
						Let it return that: String instead(String text).
						""");
	}

}
