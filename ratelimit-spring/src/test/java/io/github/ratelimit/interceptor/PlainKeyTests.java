package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are read without SpEL have the values and failures of SpEL, which reads the
 * same expressions in parentheses.
 */
class PlainKeyTests {

	private static final Method METHOD = ReflectionUtils.findMethod(Sample.class, "reply", (Class<?>[]) null);

	private static final List<Object> VALUES = Arrays.asList("laoqian", "", null, 5, 5L, 'c', 1.5, true,
			Optional.empty(), Optional.of("x"), Optional.of(3), OptionalInt.of(2), new int[] { 1, 2 }, List.of("a", 1),
			Arrays.asList("a", null), new Object(), List.of(new Object()), new CompletableFuture<>(),
			new StringBuilder("text"));

	private final MethodScope scope = new MethodScope(METHOD);

	private final ExpressionCompiler compiler = new ExpressionCompiler(this.scope,
			new ExpressionBeans(new DefaultListableBeanFactory()));

	@ParameterizedTest
	@ValueSource(strings = { "#one", "#a0", "#p1", " #one ", "'all'", "'a#b'", "''", "#one + ':reply'", "#one+':reply'",
			"'reply:' + #one", "#one + ':' + #two", "'a' + #one + #two", "'a' + 'b' + #one", "#one + ' + ' + #two",
			"#one + '' + #one" })
	void valuesAndFailuresAreThoseOfSpel(String expression) {
		PlainKey key = PlainKey.parse(expression, this.scope);
		assertThat(key).isNotNull();
		assertThat(this.compiler.compileKey(expression)).isInstanceOf(PlainKey.class);
		CallExpression spel = this.compiler.compileKey('(' + expression + ')');
		assertThat(spel).isNotInstanceOf(PlainKey.class);
		for (Object one : VALUES) {
			for (Object two : VALUES) {
				Call call = new Call(new Sample(), new Object[] { one, two }, null);
				String expected = key(spel, expression, call);
				assertThat(key(key, expression, call)).isEqualTo(expected);
				assertThat(outcome(() -> key.read(call.arguments()))).isEqualTo(expected);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "#one + #two", "#one + #two + ':'", "#three", "#root", "#this", "'#one'", "'it''s'",
			"'a' + 'b'", "#one.name", "#one ?: 'x'", "one", "#one +", "+ #one", "'a", "\"a\"", "1", "#one + 1", "",
			"#one 'a'", "(#one)" })
	void otherExpressionsAreLeftToSpel(String expression) {
		assertThat(PlainKey.parse(expression, this.scope)).isNull();
	}

	@Test
	void partsAreJoined() {
		Call call = new Call(new Sample(), new Object[] { "a", "b" }, null);
		assertThat(this.compiler.compileKey("#one+':'+#two").evaluate(call)).isEqualTo("a:b");
		assertThat(PlainKey.NONE.read(call.arguments())).isEmpty();
	}

	private static String key(CallExpression key, String text, Call call) {
		return outcome(() -> {
			Object value = key.evaluate(call);
			if (value == null) {
				throw new KeyText.NoTextException(text);
			}
			return KeyText.of(value, text);
		});
	}

	/**
	 * Return the key or its failure, with what messages need.
	 */
	private static String outcome(Supplier<String> key) {
		try {
			return key.get();
		}
		catch (KeyText.NoTextException ex) {
			return ex.reason() + ": " + ex.operand() + ' ' + ex.typeName();
		}
		catch (RuntimeException ex) {
			return ex.getClass() + ": " + ex.getMessage();
		}
	}

	static class Sample {

		void reply(Object one, Object two) {
		}

	}

}
