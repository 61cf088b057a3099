package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.expression.ParseException;
import org.springframework.util.ReflectionUtils;

import io.github.ratelimit.fuzz.FuzzInput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Expressions. They are compiled or refused; a key that is read without SpEL has the same
 * value as with it. No other expression is evaluated: it may do anything.
 */
public final class ExpressionFuzz {

	private static final Method METHOD = ReflectionUtils.findMethod(ExpressionFuzz.class, "call", (Class<?>[]) null);

	private static final List<Object[]> ARGUMENTS = List.of(new Object[] { "laoqian", 5 }, new Object[] { null, "'" },
			new Object[] { Optional.of("#b"), Optional.empty() }, new Object[] { "", new int[] { 1, 2 } });

	private static final MethodScope SCOPE = new MethodScope(METHOD);

	private static final ExpressionCompiler COMPILER = new ExpressionCompiler(SCOPE,
			new ExpressionBeans(new DefaultListableBeanFactory()));

	private ExpressionFuzz() {
	}

	static void call(Object user, Object page) {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		String text = new FuzzInput(input).text();
		compile(() -> COMPILER.compileKey(text));
		compile(() -> COMPILER.compileCondition(text));
		compile(() -> COMPILER.compileUsedUnits(text));
		PlainKey plain = PlainKey.parse(text, SCOPE);
		if (plain != null && text.chars().allMatch((character) -> character >= ' ')) {
			CallExpression spel = COMPILER.compileKey('(' + text + ')');
			for (Object[] arguments : ARGUMENTS) {
				Call call = new Call(new Object(), arguments, null);
				assertThat(value(plain, text, call)).isEqualTo(value(spel, text, call));
			}
		}
	}

	private static void compile(Runnable compilation) {
		try {
			compilation.run();
		}
		catch (RefusedExpressionException | ConditionValue.NoBooleanException | ParseException ex) {
			assertThat(ex).hasMessageMatching("(?s).*\\S.*");
		}
	}

	private static String value(CallExpression key, String text, Call call) {
		try {
			return "=" + KeyText.required(key.evaluate(call), text);
		}
		catch (RuntimeException ex) {
			return ex.getClass().getName();
		}
	}

}
