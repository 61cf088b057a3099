package io.github.ratelimit.interceptor;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of methods in messages, and the rule names derived from them.
 */
class ElementNamesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ReplyController | reply        | reply-controller-reply   | ReplyController.reply(String, int)
			ReplyController | getURL       | reply-controller-get-url | ReplyController.getURL()
			HTTPClient2     | send_it2Now  | http-client2-send-it2-now | HTTPClient2.send_it2Now(String[])
			""")
	void followFromTheSource(String type, String method, String rule, String description) throws Exception {
		Class<?> owner = ClassUtils.forName(ElementNamesTests.class.getName() + '$' + type, null);
		Object element = ReflectionUtils.findMethod(owner, method, (Class<?>[]) null);
		assertThat(ElementNames.ruleName(element)).isEqualTo(rule);
		assertThat(ElementNames.describe(element)).isEqualTo(description);
		assertThat(rule).startsWith(ElementNames.ruleName(owner));
		assertThat(ElementNames.describe(owner)).isEqualTo(type);
	}

	@ParameterizedTest
	@MethodSource
	void noRuleNameIsDerivedFromOtherLetters(Object element) {
		assertThat(ElementNames.ruleName(element)).isNull();
	}

	static Stream<Object> noRuleNameIsDerivedFromOtherLetters() {
		return Stream.of(ReflectionUtils.findMethod(ReplyController.class, "回复"),
				ReflectionUtils.findMethod(ReplyController.class, "prüfe"), new Object() {
				}.getClass());
	}

	@Test
	void anonymousClassIsDescribedByItsNumber() {
		Object anonymous = new Object() {

			void call() {
			}

		};
		assertThat(ElementNames.describe(anonymous.getClass())).matches("ElementNamesTests\\$\\d+");
		assertThat(ElementNames.describe(ReflectionUtils.findMethod(anonymous.getClass(), "call")))
			.matches("ElementNamesTests\\$\\d+\\.call\\(\\)");
	}

	static class ReplyController {

		void 回复() {
		}

		void prüfe() {
		}

		void reply(String userId, int page) {
		}

		void getURL() {
		}

	}

	static class HTTPClient2 {

		void send_it2Now(String[] texts) {
		}

	}

}
