package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.store.tck.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Expressions evaluated without SpEL have the same values and failures as with SpEL, for
 * arguments of any kind in any order.
 */
class NodeCompilerTests {

	private static final Method METHOD = ReflectionUtils.findMethod(NodeCompilerTests.class, "reply",
			(Class<?>[]) null);

	private static final ExpressionBeans BEANS = new ExpressionBeans(new DefaultListableBeanFactory());

	private static final List<Object> VALUES = List.of("laoqian", "", "Ann", 3, 4L, 'c', 1.5, true, TimeUnit.SECONDS,
			LocalDate.of(2026, 2, 28), UUID.fromString("6b1c2d3e-0000-4000-8000-000000000001"), new int[] { 1, 2 },
			new String[] { "x" }, List.of(), List.of("x", "y"), Map.of("name", "n"), Optional.empty(), Optional.of("o"),
			Optional.of(new Author("opt", null)), String.class, new Author("ann", null),
			new Author("bob", new Author("eve", null)), new Bean("bea"), new SpecialBean("spec"), new Open("open"),
			new Broken(), new StringBuilder("sb"));

	@ParameterizedTest
	@ValueSource(strings = { "#one", "#two", "#a0", "#p1", "#root", "#this", "'text'", "1", "1L", "1.5", "true", "null",
			"#one.name", "#one.name()", "#one?.name", "#one?.name()", "#one.friend.name", "#one.friend?.name",
			"#one?.friend.name", "#one?.friend?.name()", "#one.friend().name()", "#one.length", "#one.length()",
			"#one.empty", "#one.isEmpty()", "#one.class", "#one.class.name", "#one.class.simpleName", "#one.bytes",
			"#one.toString()", "#one.toString().length()", "#one.hashCode()", "#one.toLowerCase()", "#one.substring(1)",
			"#one.substring(0, 2)", "#one.concat('x')", "#one.concat(1)", "#one.get(0)", "#one.get('name')",
			"#one.get()", "#one.present", "#one.value", "#one.year", "#one.plusDays(1)", "#one.month.value",
			"#one.over('x')", "#one.over(1)", "#one.over(1L)", "#one.over(null)", "#one.many()", "#one.many('x')",
			"#one.many('x', 'y')", "#one.secret", "#one.nothing", "#one.nothing()", "#one.append(1)", "#one.NAME",
			"#one.constant", "#one ?: 'guest'", "#one ?: #two", "#one ?: #two ?: 'guest'", "#one?.name ?: #two.name",
			"(#one ?: #two).name", "#one ?: ip", "ip", "path", "principal", "method.name", "methodName", "target",
			"targetClass.simpleName", "args.length", "args[0]", "#root.ip", "#this.ip", "#root.header('X-Api-Key')",
			"header('X-Api-Key')", "header('X-Absent')", "header('X-Absent') ?: 'guest'",
			"header('X-Api-Key').length()", "header(1)", "#one[0]", "#one == null", "#one != null ? #one.name : 'x'",
			"#one.name == 'ann'", "#one.length() > 2", "T(java.util.Locale).ROOT", "{#one, #two}" })
	void expressionHasTheSameMeaningAsInSpel(String text) {
		CallExpression compiled = new ExpressionCompiler(new MethodScope(METHOD), BEANS).compile(text);
		onRandomCalls((call) -> {
			if (isTheSameInAllVersions(text, call)) {
				assertThat(Outcome.of(() -> compiled.evaluate(call))).isEqualTo(Outcome.of(() -> bySpel(text, call)));
			}
		});
	}

	/**
	 * Excludes empty optionals with a substitute, whose value depends on the version of
	 * SpEL, and web requests, which SpEL does not know.
	 */
	private static boolean isTheSameInAllVersions(String text, Call call) {
		return !text.contains("?:")
				|| (call.context() != null && Arrays.stream(call.arguments()).noneMatch(Optional.class::isInstance));
	}

	@ParameterizedTest
	@ValueSource(strings = { "#one", "#one.name", "#one?.name", "(#one ?: #two)", "#one.toString()", "ip",
			"header('X-Absent')", "(#one == #two)", "3" })
	void keyIsTheTextOfTheSpelValueAndNeverNull(String operand) {
		CallExpression key = new ExpressionCompiler(new MethodScope(METHOD), BEANS)
			.compileKey("'<' + " + operand + " + '>'");
		onRandomCalls((call) -> {
			if (!isTheSameInAllVersions(operand, call)) {
				return;
			}
			Outcome expected = Outcome.of(() -> {
				Object value = KeyText.held(bySpel(operand, call));
				if (value == null) {
					throw new KeyText.NoTextException(operand);
				}
				return '<' + KeyText.of(value, operand) + '>';
			});
			assertThat(Outcome.of(() -> key.evaluate(call)).withoutPosition()).isEqualTo(expected.withoutPosition());
		});
	}

	@Test
	void failingMemberFailsWithTheMessageOfSpel() {
		CallExpression compiled = new ExpressionCompiler(new MethodScope(METHOD), BEANS).compile("#one.friend.name");
		Call call = new Call(this, new Object[] { new Author("ann", null), null }, null);
		assertThat(Outcome.of(() -> compiled.evaluate(call)).toString())
			.contains("EL1007E: Property or field 'name' cannot be found on null");
	}

	@ParameterizedTest
	@CsvSource({ "#one.some().get(), value", "#one.some().get().length(), 5", "#one.texts().length, 2",
			"#one.type().name, java.lang.String", "#one.some().get().missing, EL1008E", "#one.fails(), failed",
			"#one.none().absent, EL1007E", "#one.some.get(), value",
			"#one.failsChecked(), A problem occurred when trying to execute method 'failsChecked'" })
	void eachMemberOfAPathIsReadOnce(String path, String outcome) {
		CallExpression compiled = new ExpressionCompiler(new MethodScope(METHOD), BEANS).compile(path);
		for (int i = 1; i <= 3; i++) {
			Counting counting = new Counting();
			Call call = new Call(this, new Object[] { counting, null }, null);
			assertThat(Outcome.of(() -> compiled.evaluate(call)).toString()).contains(outcome);
			assertThat(counting.reads).isOne();
		}
	}

	private void onRandomCalls(Consumer<Call> test) {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (int i = 0; i < Seeds.steps(100); i++) {
				Call call = call(random);
				assertThatCode(() -> test.accept(call))
					.as(() -> "arguments " + describe(call.arguments()[0]) + " and " + describe(call.arguments()[1])
							+ ", seed " + seed)
					.doesNotThrowAnyException();
			}
		});
	}

	private Call call(Random calls) {
		return new Call(this, new Object[] { argument(calls), argument(calls) },
				calls.nextBoolean() ? new FakeRequest() : null);
	}

	private static @Nullable Object argument(Random calls) {
		int index = calls.nextInt(VALUES.size() + 3);
		return (index < VALUES.size()) ? VALUES.get(index) : null;
	}

	private static String describe(@Nullable Object argument) {
		return (argument != null) ? argument.getClass().getName() + ' ' + argument : "null";
	}

	/**
	 * Evaluate as Spring's own annotations do, without caches.
	 */
	private static @Nullable Object bySpel(String text, Call call) {
		Expression expression = new SpelExpressionParser().parseExpression(text);
		return expression.getValue(new MethodBasedEvaluationContext(new RequestExpressionRoot.OfMethod(METHOD, call),
				METHOD, call.arguments(), new DefaultParameterNameDiscoverer()));
	}

	void reply(Object one, Object two) {
	}

	private record Outcome(@Nullable Object value, @Nullable String failure) {

		static Outcome of(Supplier<@Nullable Object> evaluation) {
			try {
				Object value = evaluation.get();
				boolean isRoot = value instanceof RequestExpressionRoot.OfMethod;
				return new Outcome(isRoot ? "root" : value, null);
			}
			catch (RuntimeException ex) {
				return new Outcome(null, ex.getClass().getName() + ": " + ex.getMessage());
			}
		}

		/**
		 * An operand has the same value alone and within a key.
		 */
		Outcome withoutPosition() {
			return new Outcome(this.value,
					(this.failure != null) ? this.failure.replaceAll("\\(pos \\d+\\)", "") : null);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Outcome that && Objects.deepEquals(this.value, that.value)
					&& Objects.equals(this.failure, that.failure);
		}

		@Override
		public int hashCode() {
			return 0;
		}

	}

	private record Author(String name, @Nullable Author friend) {

	}

	static final class Counting {

		private int reads;

		public Optional<String> some() {
			this.reads++;
			return Optional.of("value");
		}

		public Optional<String> getSome() {
			return some();
		}

		public String[] texts() {
			this.reads++;
			return new String[] { "a", "b" };
		}

		public Class<?> type() {
			this.reads++;
			return String.class;
		}

		public @Nullable Object none() {
			this.reads++;
			return null;
		}

		public Object fails() {
			this.reads++;
			throw new IllegalStateException("failed");
		}

		public Object failsChecked() throws Exception {
			this.reads++;
			throw new Exception("failed");
		}

	}

	static class Bean {

		public static final String NAME = "bean";

		public String nothing = "field beside no getter";

		private final String secret;

		Bean(String secret) {
			this.secret = secret;
		}

		public String getName() {
			return this.secret;
		}

		public static String getConstant() {
			return NAME;
		}

		public String over(String value) {
			return "string";
		}

		public String over(int value) {
			return "int";
		}

		public String over(Object value) {
			return "object";
		}

		public String many(String... values) {
			return "many " + values.length;
		}

		String getSecret() {
			return this.secret;
		}

	}

	static final class SpecialBean extends Bean {

		public String nothing = "hides";

		SpecialBean(String name) {
			super(name);
		}

		@Override
		public String getName() {
			return "special";
		}

		public String name() {
			return "method";
		}

	}

	static final class Open {

		public final String name;

		public final boolean empty = true;

		Open(String name) {
			this.name = name;
		}

	}

	static final class Broken {

		public String getName() {
			throw new IllegalStateException("broken");
		}

		public String name() throws Exception {
			throw new Exception("broken");
		}

		public boolean isEmpty() {
			throw new IllegalArgumentException("broken");
		}

	}

}
