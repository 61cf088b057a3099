package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in an expression of an annotation stops startup with a message that names the
 * place, the mistake and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedExpressionMistakeTests {

	private static final String KNOWN = "args, ip, method, methodName, path, principal, target, targetClass, "
			+ "claim('name'), cookie('name'), header('name'), param('name'), pathVariable('name').";

	@ParameterizedTest
	@MethodSource
	void stopsStartup(AnnotationMistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<AnnotationMistake> stopsStartup() {
		return AnnotationMistake.table("AnnotatedExpressions",
				"""
						static class KeySyntax { @RateLimited(key = "#userId + ", max = 5, period = 60) public void call(String userId) {} }
						Invalid @RateLimited on KeySyntax.call(String): key "#userId + " is not a SpEL expression: EL1042E: Problem parsing right operand.
						Parameters are written as #name, text in single quotes: "#userId + ':reply'" for example.

						static class CostSyntax { @RateLimited(cost = "1 +* 2", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on CostSyntax.call(): cost "1 +* 2" is not a SpEL expression: EL1070E: Problem parsing left operand.
						Parameters are written as #name, text in single quotes: "#userId + ':reply'" for example.

						static class ConditionSyntax { @RateLimited(condition = "'x", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on ConditionSyntax.call(): condition "'x" is not a SpEL expression: EL1046E: Cannot find terminating ' for string.
						Parameters are written as #name, text in single quotes: "#userId + ':reply'" for example.

						static class ConditionText { @RateLimited(condition = "'maybe'", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on ConditionText.call(): condition "'maybe'" has to be true or false, but is another text.
						Write an expression that is true or false: "#text.length() > 100" for example.

						static class ConditionNull { @RateLimited(condition = "null", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on ConditionNull.call(): condition "null" has to be true or false, but is null.
						Write an expression that is true or false: "#text.length() > 100" for example.

						static class UnknownVariable { @RateLimited(key = "#usrId + ':reply'", max = 5, period = 60) public void reply(String userId, String text) {} }
						Invalid @RateLimited on UnknownVariable.reply(String, String): key "#usrId + ':reply'" uses the unknown variable 'usrId'. Known: #text, #userId, KNOWN
						Write #userId.

						static class NoHash { @RateLimited(key = "userId", max = 5, period = 60) public void reply(String userId) {} }
						Invalid @RateLimited on NoHash.reply(String): key "userId" uses the unknown property 'userId'. Known: #userId, KNOWN
						For the parameter, write #userId.

						static class UnknownMethod { @RateLimited(key = "nick()", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on UnknownMethod.call(): key "nick()" uses the unknown method nick(). Known: KNOWN
						To call a bean, write @bean.nick().

						static class MetadataOfEntries { @RateLimited(key = "metadata('x-api-key')", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on MetadataOfEntries.call(): key "metadata('x-api-key')" uses the unknown method metadata(). Known: KNOWN
						Write header('x-api-key').

						static class PeerOfEntries { @RateLimited(key = "peer", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on PeerOfEntries.call(): key "peer" uses the unknown property 'peer'. Known: KNOWN
						Write ip.

						static class KeyOfTheEnvironment { @RateLimited(name = "reply", key = "#userId", max = 5, period = 60) public void call(String userId) {} }
						--ratelimit.rules.reply.key=#user
						Invalid ratelimit.rules.reply.key, used by KeyOfTheEnvironment.call(String): key "#user" uses the unknown variable 'user'. Known: #userId, KNOWN
						Use one of the known names.

						static class KeyOfTheEnvironment { @RateLimited(name = "reply", key = "#userId", max = 5, period = 60) public void call(String userId) {} }
						--ratelimit.rules.reply.key=
						ratelimit.rules.reply.key = "" is invalid: it is empty, and would replace the key "#userId" of the annotation, so that all callers share one counter.
						In YAML quote what begins with #, key: "#userId"; or remove it. For one counter on purpose write a text, key: "'all'".

						static class BlankKey { @RateLimited(key = " ", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on BlankKey.call(): key " " is blank.
						Remove it, or write an expression: parameters are written as #name, text in single quotes.

						static class PrincipalName { @RateLimited(key = "principal.name", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on PrincipalName.call(): key "principal.name" uses the unknown property 'principal.name'. Known: KNOWN
						principal is the name already: write principal.
						"""
					.replace("KNOWN", KNOWN));
	}

	@Test
	void ofAClassCompiledWithoutParameterNamesStopsStartup(CapturedOutput output) {
		Class<?> bean = CompiledSource.compile("Nameless", """
				package io.github.ratelimit.autoconfigure;

				import io.github.ratelimit.annotation.RateLimited;

				public class Nameless {

					@RateLimited(key = "#userId", max = 5, period = 60)
					public void call(String userId) {
					}

				}
				""");
		StartFailure failure = StartFailure.of(output, List.of(bean), List.of());
		assertThat(failure.description())
			.isEqualTo("Invalid @RateLimited on Nameless.call(String): key \"#userId\" uses "
					+ "the unknown variable 'userId'. Known: #a0, " + KNOWN);
		assertThat(failure.action()).isEqualTo("The names of the parameters are not in the class file: compile with "
				+ "-parameters, or write #a0 for the first one.");
	}

}
