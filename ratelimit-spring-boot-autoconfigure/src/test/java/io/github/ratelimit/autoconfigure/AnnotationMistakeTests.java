package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.ConnectableFlux;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.ModelAttribute;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in an annotation ends the start and says where, what, and what to write
 * instead.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotationMistakeTests {

	private static final String KNOWN = "args, ip, method, methodName, path, principal, target, targetClass, "
			+ "header('name').";

	@ParameterizedTest
	@MethodSource
	void endsTheStart(Mistake mistake, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, mistake.beans, mistake.properties);
		assertThat(failure.description()).isEqualTo(mistake.description);
		assertThat(failure.action()).isEqualTo(mistake.action);
	}

	static Stream<Mistake> endsTheStart() {
		return Stream.concat(expressions(), Stream.concat(methods(), rules()));
	}

	private static Stream<Mistake> expressions() {
		String write = "Parameters are written as #name, text in single quotes: \"#userId + ':reply'\" for example.";
		return Stream.of(
				new Mistake(
						"Invalid @RateLimited on KeySyntax.call(String): key \"#userId + \" is not a SpEL expression: "
								+ "EL1042E: Problem parsing right operand.",
						write, KeySyntax.class),
				new Mistake("Invalid @RateLimited on CostSyntax.call(): cost \"1 +* 2\" is not a SpEL expression: "
						+ "EL1070E: Problem parsing left operand.", write, CostSyntax.class),
				new Mistake(
						"Invalid @RateLimited on ConditionSyntax.call(): condition \"'x\" is not a SpEL expression: "
								+ "EL1046E: Cannot find terminating ' for string.",
						write, ConditionSyntax.class),
				new Mistake(
						"Invalid @RateLimited on UnknownVariable.reply(String, String): key \"#usrId + ':reply'\" uses "
								+ "the unknown variable 'usrId'. Known: #text, #userId, " + KNOWN,
						"Use one of the known names.", UnknownVariable.class),
				new Mistake(
						"Invalid @RateLimited on NoHash.reply(String): key \"userId\" uses the unknown property "
								+ "'userId'. Known: #userId, " + KNOWN,
						"For the parameter write #userId.", NoHash.class),
				new Mistake(
						"Invalid @RateLimited on UnknownMethod.call(): key \"nick()\" uses the unknown method nick(). "
								+ "Known: " + KNOWN,
						"To call a bean, write @bean.nick().", UnknownMethod.class),
				new Mistake(
						"Invalid ratelimit.rules.reply.key, used by KeyOfTheEnvironment.call(String): key \"#user\" "
								+ "uses the unknown variable 'user'. Known: #userId, " + KNOWN,
						"Use one of the known names.", KeyOfTheEnvironment.class)
					.with("ratelimit.rules.reply.key=#user"));
	}

	private static Stream<Mistake> methods() {
		return Stream.of(unreachable(PrivateMethod.class, "PrivateMethod.call()", "private"),
				unreachable(StaticMethod.class, "StaticMethod.call()", "static"),
				unreachable(FinalMethod.class, "FinalMethod.call()", "final"),
				unreachable(FinalOfLimitedClass.class, "FinalOfLimitedClass.call()", "final"),
				unreachable(Inheriting.class, "FinalOfLimitedClass.call()", "final"),
				new Mistake(
						"Invalid @RateLimited on ModelMethod.call(): the method is an @ModelAttribute method, which Spring "
								+ "calls as a part of other requests, so a denial would fail them.",
						"Remove it, and annotate the handler methods whose requests you want to limit.",
						ModelMethod.class),
				new Mistake("Invalid @RateLimited on Connectable.call(): a denial cannot be told as ConnectableFlux.",
						"Return Flux.", Connectable.class),
				new Mistake(
						"Invalid @RateLimited on NoFallback.call(String, int): there is no fallback \"instead\" that "
								+ "fits.",
						"Add String instead(String, int) to NoFallback; a last parameter "
								+ "RateLimitExceededException is optional.",
						NoFallback.class),
				new Mistake(
						"Invalid @RateLimited on OtherParameters.call(String): there is no fallback \"instead\" that "
								+ "fits.",
						"Add String instead(String) to OtherParameters; a last parameter "
								+ "RateLimitExceededException is optional.",
						OtherParameters.class),
				new Mistake(
						"Invalid @RateLimited on OtherReturnType.call(String): there is no fallback \"instead\" that "
								+ "fits.",
						"Add String instead(String) to OtherReturnType; a last parameter "
								+ "RateLimitExceededException is optional.",
						OtherReturnType.class));
	}

	private static Stream<Mistake> rules() {
		String units = "Write how many units may pass, max: 5 for example.";
		return Stream.of(
				new Mistake("@RateLimited on NoMax.call(): max is missing: a limit admits max units per period.", units,
						NoMax.class),
				new Mistake(
						"@RateLimited on ZeroMax.call(): max = 0 is invalid: it has to be between 1 and 1000000000.",
						units, ZeroMax.class),
				new Mistake("ratelimit.rules.reply.max = -1 is invalid: it has to be between 1 and 1000000000.", units,
						KeyOfTheEnvironment.class)
					.with("ratelimit.rules.reply.max=-1"),
				new Mistake(
						"@RateLimited on LongPeriod.call(): period = 9223372036854775807 DAYS is invalid: it has to be "
								+ "between 1 ms and 366 days.",
						"Write a shorter period.", LongPeriod.class),
				new Mistake(
						"@RateLimited on BadName.call(): name = \"Reply\" is invalid: "
								+ "the name of a rule becomes part of Redis keys, headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"reply\" for example.", BadName.class),
				new Mistake(
						"@RateLimited on Overloads.call(String) and @RateLimited on Overloads.call() both derive the "
								+ "rule name \"overloads-call\".",
						"Give at least one of them a name of its own, "
								+ "@RateLimited(name = \"overloads-call-2\", ...) for example.",
						Overloads.class),
				new Mistake(
						"@RateLimited on Unlike.two() and @RateLimited on Unlike.one() both define the rule \"shared\", "
								+ "but not alike.",
						"Give them different names, or write the limit once, as "
								+ "ratelimit.rules.shared, and only the name in the annotations.",
						Unlike.class),
				new Mistake("Invalid @RateLimited on Twice.call(): the rule \"twice\" is there twice.",
						"Give each annotation a name of its own, or remove one.", Twice.class));
	}

	@Test
	void ofAClassCompiledWithoutParameterNamesEndsTheStart(CapturedOutput output) {
		Class<?> bean = NamelessParameters.compile("Nameless", """
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

	private static Mistake unreachable(Class<?> bean, String method, String modifier) {
		return new Mistake(
				"Invalid @RateLimited on " + method + ": the method is " + modifier
						+ ", so no proxy sees its calls and it would not be limited.",
				"Make it public and not " + modifier
						+ ", or annotate the public method that calls it from another bean.",
				bean);
	}

	private record Mistake(List<Class<?>> beans, List<String> properties, String description, String action) {

		Mistake(String description, String action, Class<?> bean) {
			this(List.of(bean), List.of(), description, action);
		}

		Mistake with(String property) {
			return new Mistake(this.beans, List.of(property), this.description, this.action);
		}

		@Override
		public String toString() {
			return this.beans.get(0).getSimpleName() + this.properties;
		}

	}

	static class KeySyntax {

		@RateLimited(key = "#userId + ", max = 5, period = 60)
		public void call(String userId) {
		}

	}

	static class CostSyntax {

		@RateLimited(cost = "1 +* 2", max = 5, period = 60)
		public void call() {
		}

	}

	static class ConditionSyntax {

		@RateLimited(condition = "'x", max = 5, period = 60)
		public void call() {
		}

	}

	static class UnknownVariable {

		@RateLimited(key = "#usrId + ':reply'", max = 5, period = 60)
		public void reply(String userId, String text) {
		}

	}

	static class NoHash {

		@RateLimited(key = "userId", max = 5, period = 60)
		public void reply(String userId) {
		}

	}

	static class UnknownMethod {

		@RateLimited(key = "nick()", max = 5, period = 60)
		public void call() {
		}

	}

	static class KeyOfTheEnvironment {

		@RateLimited(name = "reply", key = "#userId", max = 5, period = 60)
		public void call(String userId) {
		}

	}

	static class ModelMethod {

		@ModelAttribute
		@RateLimited(max = 1, period = 60)
		public void call() {
		}

	}

	static class PrivateMethod {

		@RateLimited(max = 5, period = 60)
		private void call() {
		}

	}

	static class StaticMethod {

		@RateLimited(max = 5, period = 60)
		public static void call() {
		}

	}

	static class FinalMethod {

		@RateLimited(max = 5, period = 60)
		public final void call() {
		}

	}

	@RateLimited(max = 5, period = 60)
	static class FinalOfLimitedClass {

		public final void call() {
		}

	}

	static class Inheriting extends FinalOfLimitedClass {

	}

	static class Connectable {

		@RateLimited(max = 5, period = 60)
		public ConnectableFlux<String> call() {
			return null;
		}

	}

	static class NoFallback {

		@RateLimited(max = 5, period = 60, fallback = "instead")
		public String call(String text, int number) {
			return text;
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

		Object instead(String text) {
			return text;
		}

	}

	static class NoMax {

		@RateLimited(period = 60)
		public void call() {
		}

	}

	static class ZeroMax {

		@RateLimited(max = 0, period = 60)
		public void call() {
		}

	}

	static class LongPeriod {

		@RateLimited(max = 5, period = Long.MAX_VALUE, unit = TimeUnit.DAYS)
		public void call() {
		}

	}

	static class BadName {

		@RateLimited(name = "Reply", max = 5, period = 60)
		public void call() {
		}

	}

	static class Overloads {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

		@RateLimited(max = 5, period = 60)
		public void call(String text) {
		}

	}

	static class Unlike {

		@RateLimited(name = "shared", max = 5, period = 60)
		public void one() {
		}

		@RateLimited(name = "shared", max = 6, period = 60)
		public void two() {
		}

	}

	static class Twice {

		@RateLimited(name = "twice", key = "'a'", max = 5, period = 60)
		@RateLimited(name = "twice", key = "'b'", max = 5, period = 60)
		public void call() {
		}

	}

}
