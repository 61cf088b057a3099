package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

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
 * A mistake in an annotation stops startup with a message that names the place, the
 * mistake and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotationMistakeTests {

	private static final String NAMESAKES = AnnotationMistakeTests.class.getName() + "$Namesakes$";

	private static final String KNOWN = "args, ip, method, methodName, path, principal, target, targetClass, "
			+ "header('name').";

	@ParameterizedTest
	@MethodSource
	void stopsStartup(Mistake mistake, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, mistake.beans, mistake.properties);
		assertThat(failure.description()).isEqualTo(mistake.description);
		assertThat(failure.action()).isEqualTo(mistake.action);
	}

	static Stream<Mistake> stopsStartup() {
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
						"Invalid @RateLimited on ConditionText.call(): condition \"'maybe'\" has to be true or false, but "
								+ "is another text.",
						"Write an expression that is true or false: \"#text.length() > 100\" for example.",
						ConditionText.class),
				new Mistake(
						"Invalid @RateLimited on ConditionNull.call(): condition \"null\" has to be true or false, but "
								+ "is null.",
						"Write an expression that is true or false: \"#text.length() > 100\" for example.",
						ConditionNull.class),
				new Mistake(
						"Invalid @RateLimited on UnknownVariable.reply(String, String): key \"#usrId + ':reply'\" uses "
								+ "the unknown variable 'usrId'. Known: #text, #userId, " + KNOWN,
						"Write #userId.", UnknownVariable.class),
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
					.with("ratelimit.rules.reply.key=#user"),
				new Mistake(
						"ratelimit.rules.reply.key = \"\" is invalid: it is empty, and would replace the key \"#userId\" of "
								+ "the annotation, so that all callers share one counter.",
						"In YAML quote what begins with #, key: \"#userId\"; or remove it. For one counter on purpose write "
								+ "a text, key: \"'all'\".",
						KeyOfTheEnvironment.class)
					.with("ratelimit.rules.reply.key="),
				new Mistake("Invalid @RateLimited on BlankKey.call(): key \" \" is blank.",
						"Remove it, or write an expression: parameters are written as #name, text in single quotes.",
						BlankKey.class),
				new Mistake(
						"Invalid @RateLimited on PrincipalName.call(): key \"principal.name\" uses the unknown property "
								+ "'principal.name'. Known: " + KNOWN,
						"principal is the name already: write principal.", PrincipalName.class));
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
				new Mistake(
						"Invalid @RateLimited on Connectable.call(): a denial cannot be returned as ConnectableFlux.",
						"Return Flux.", Connectable.class),
				new Mistake(
						"Invalid @RateLimited on OwnFallback.call(String): the fallback \"call\" is the limited method "
								+ "itself, so denied calls would run unlimited.",
						"Name another method of the class, or remove fallback: a denied call then throws "
								+ "RateLimitExceededException.",
						OwnFallback.class),
				new Mistake(
						"Invalid @RateLimited on OwnFallbackOfAClass.instead(String): the fallback \"instead\" is the "
								+ "limited method itself, so denied calls would run unlimited.",
						"Make it private, since class-level @RateLimited limits public methods only, or annotate the "
								+ "other methods instead of the class.",
						OwnFallbackOfAClass.class),
				new Mistake(
						"Invalid @RateLimited on LimitedFallback.call(String): the fallback \"second\" is limited as "
								+ "well, but a fallback is called without a proxy, so it would run unlimited.",
						"Name a method without @RateLimited. To limit what it does, let it call a limited method of "
								+ "another bean.",
						LimitedFallback.class));
	}

	private static Stream<Mistake> rules() {
		String units = "Write how many units may pass, max = 5 for example.";
		return Stream.of(
				new Mistake("@RateLimited on NoMax.call(): max is missing: a limit admits max units per period.",
						"Write how many units may pass, for example max = 5 in the annotation or "
								+ "ratelimit.rules.no-max-call.max: 5 in the properties.",
						NoMax.class),
				new Mistake("@RateLimited on NoPeriod.call(): period is missing: a limit admits max units per period.",
						"Write a duration, for example period = 60 in the annotation or ratelimit.rules.reply.period: "
								+ "60s in the properties.",
						NoPeriod.class)
					.with("ratelimit.rules.reply.max=5"),
				new Mistake(
						"@RateLimited on Misnamed.call(): max and period are missing, and there is no rule \"replly\" "
								+ "that sets them. Known: reply. Did you mean reply?",
						"Write @RateLimited(\"reply\"), or define the rule: max = 5, period = 60 in the annotation or "
								+ "ratelimit.rules.replly: {max: 5, period: 60s} in the properties.",
						Misnamed.class)
					.with("ratelimit.rules.reply.max=5"),
				new Mistake(
						"@RateLimited on NameOnly.call(): max and period are missing, and there is no rule "
								+ "\"name-only-call\" that sets them. Known: none.",
						"Define the rule: max = 5, period = 60 in the annotation or ratelimit.rules.name-only-call: "
								+ "{max: 5, period: 60s} in the properties.",
						NameOnly.class),
				new Mistake(
						"@RateLimited on LongLog.call(): max = 10001 is invalid: the algorithm sliding-log keeps one "
								+ "entry per admitted unit, so max is at most 10000.",
						"Write algorithm = Algorithm.TOKEN_BUCKET, which keeps two numbers whatever max is, or "
								+ "algorithm = Algorithm.SLIDING_WINDOW, which keeps one per segment, or lower max.",
						LongLog.class),
				new Mistake(
						"@RateLimited on ShortPeriod.call(): period = PT0.0015S is invalid: it has to be a whole number "
								+ "of milliseconds.",
						"Round it, period = 100, unit = TimeUnit.MILLISECONDS for example.", ShortPeriod.class),
				new Mistake(
						"@RateLimited on NegativeWait.call(): maxWait = -1s is invalid: it has to be between 0 and "
								+ "366 days.",
						"Write how long a call may wait, maxWait = \"2s\" for example.", NegativeWait.class),
				new Mistake(
						"@RateLimited on LongWait.call(): maxWait = 1000000000000d is invalid: it has to be between "
								+ "0 and 366 days.",
						"Write how long a call may wait, maxWait = \"2s\" for example.", LongWait.class),
				new Mistake(
						"@RateLimited on TooLongWait.call(): maxWait = \"9223372036854775807d\" is invalid: it is "
								+ "not a duration.",
						"Write a number and ms, s, m, h or d, maxWait = \"2s\" for example; a number "
								+ "alone means seconds.",
						TooLongWait.class),
				new Mistake(
						"@RateLimited on ZeroMax.call(): max = 0 is invalid: it has to be between 1 and 1000000000.",
						units, ZeroMax.class),
				new Mistake("ratelimit.rules.reply.max = -1 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, max: 5 for example.", KeyOfTheEnvironment.class)
					.with("ratelimit.rules.reply.max=-1"),
				new Mistake(
						"@RateLimited on LongPeriod.call(): period = 9223372036854775807 DAYS is invalid: it has to be "
								+ "between 1 ms and 366 days.",
						"Write a shorter period, period = 60 for example; a number without a unit means seconds.",
						LongPeriod.class),
				new Mistake(
						"@RateLimited on BadName.call(): name = \"send_sms\" is invalid: "
								+ "the name of a rule becomes part of Redis keys, headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"send-sms\" for example.",
						BadName.class),
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
				new Mistake("Invalid @RateLimited on Twice.call(): two annotations have the same rule name \"twice\".",
						"Give each a name of its own, @RateLimited(name = \"twice-2\", ...) for example, or remove one.",
						Twice.class),
				new Mistake(
						"Invalid @RateLimited on UnnamedTwice.call(): two annotations derive the same rule name "
								+ "\"unnamed-twice-call\".",
						"Give each a name of its own, @RateLimited(name = \"unnamed-twice-call-2\", ...) for example, "
								+ "or remove one.",
						UnnamedTwice.class),
				new Mistake(List.of(Namesakes.One.Service.class, Namesakes.Two.Service.class), List.of(),
						"@RateLimited on " + NAMESAKES + "Two$Service.call() and @RateLimited on " + NAMESAKES
								+ "One$Service.call() both derive the rule name \"service-call\".",
						"Give at least one of them a name of its own, "
								+ "@RateLimited(name = \"service-call-2\", ...) for example."));
	}

	@Test
	void ofAClassCompiledWithoutParameterNamesStopsStartup(CapturedOutput output) {
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

	static class ConditionText {

		@RateLimited(condition = "'maybe'", max = 5, period = 60)
		public void call() {
		}

	}

	static class ConditionNull {

		@RateLimited(condition = "null", max = 5, period = 60)
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

	static class BlankKey {

		@RateLimited(key = " ", max = 5, period = 60)
		public void call() {
		}

	}

	static class PrincipalName {

		@RateLimited(key = "principal.name", max = 5, period = 60)
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

	static class OwnFallback {

		@RateLimited(max = 5, period = 60, fallback = "call")
		public String call(String text) {
			return text;
		}

	}

	@RateLimited(max = 5, period = 60, fallback = "instead")
	static class OwnFallbackOfAClass {

		public String call(String text) {
			return text;
		}

		public String instead(String text) {
			return text;
		}

	}

	static class LimitedFallback {

		@RateLimited(max = 5, period = 60, fallback = "second")
		public String call(String text) {
			return text;
		}

		@RateLimited(max = 5, period = 60)
		public String second(String text) {
			return text;
		}

	}

	static class NoMax {

		@RateLimited(period = 60)
		public void call() {
		}

	}

	static class NoPeriod {

		@RateLimited("reply")
		public void call() {
		}

	}

	static class Misnamed {

		@RateLimited("replly")
		public void call() {
		}

	}

	static class NameOnly {

		@RateLimited
		public void call() {
		}

	}

	static class LongLog {

		@RateLimited(max = 10001, period = 60)
		public void call() {
		}

	}

	static class ShortPeriod {

		@RateLimited(max = 5, period = 1500, unit = TimeUnit.MICROSECONDS)
		public void call() {
		}

	}

	static class NegativeWait {

		@RateLimited(max = 5, period = 60, maxWait = "-1s")
		public void call() {
		}

	}

	static class LongWait {

		@RateLimited(max = 5, period = 60, maxWait = "1000000000000d")
		public void call() {
		}

	}

	static class TooLongWait {

		@RateLimited(max = 5, period = 60, maxWait = "9223372036854775807d")
		public void call() {
		}

	}

	static class UnnamedTwice {

		@RateLimited(max = 5, period = 60)
		@RateLimited(max = 50, period = 3600)
		public void call() {
		}

	}

	static class Namesakes {

		static class One {

			static class Service {

				@RateLimited(max = 5, period = 60)
				public void call() {
				}

			}

		}

		static class Two {

			static class Service {

				@RateLimited(max = 5, period = 60)
				public void call() {
				}

			}

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

		@RateLimited(name = "send_sms", max = 5, period = 60)
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
