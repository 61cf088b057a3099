package io.github.ratelimit.interceptor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Key of arguments and texts, {@code #userId + ':reply'} for example. It is read from the
 * arguments of a call without SpEL, with the same values and failures.
 *
 * @param parts the texts, and the arguments as messages name them
 */
record PlainKey(String[] parts, int[] positions) implements CallExpression {

	private static final int TEXT = -1;

	/** Key of rules with a single counter. */
	static final PlainKey NONE = new PlainKey(new String[] { "" }, new int[] { TEXT });

	private static final String PART = "#(?!root\\b|this\\b)([A-Za-z_]\\w*)|'([^']*)'";

	private static final Pattern PARTS = Pattern.compile(PART);

	private static final Pattern SUM = Pattern.compile("\\s*(%1$s)\\s*(\\+\\s*(%1$s)\\s*)*".formatted(PART));

	/**
	 * Read an expression.
	 * @return {@code null} if it is another one, is invalid, may be a sum of numbers, or
	 * reads a web request
	 */
	static @Nullable PlainKey parse(String expression, ExpressionScope scope) {
		if (!SUM.matcher(expression).matches()) {
			return null;
		}
		int count = (int) PARTS.matcher(expression).results().count();
		String[] parts = new String[count];
		int[] positions = new int[count];
		Matcher found = PARTS.matcher(expression);
		boolean readsArguments = false;
		for (int i = 0; found.find(); i++) {
			String text = found.group(2);
			positions[i] = (text != null) ? TEXT : scope.parameters().indexOf(found.group(1));
			parts[i] = (text != null) ? text : (count == 1) ? expression : found.group();
			if (text == null && (positions[i] < 0 || scope.parameters().part(positions[i]) != null)) {
				return null;
			}
			readsArguments |= text == null;
		}
		boolean isText = count == 1 || positions[0] == TEXT || positions[1] == TEXT;
		boolean isConstant = count == 1 && !parts[0].startsWith("#");
		return (readsArguments ? isText : isConstant) ? new PlainKey(parts, positions) : null;
	}

	@Override
	public @Nullable Object evaluate(Call call) {
		boolean isArgument = this.parts.length == 1 && this.positions[0] != TEXT;
		return isArgument ? KeyText.held(call.arguments()[this.positions[0]]) : read(call.arguments());
	}

	String read(@Nullable Object[] arguments) {
		String key = "";
		for (int i = 0; i < this.parts.length; i++) {
			String part = this.parts[i];
			if (this.positions[i] != TEXT) {
				part = (arguments[this.positions[i]] instanceof String text) ? text
						: KeyText.required(KeyText.held(arguments[this.positions[i]]), part);
			}
			key = (i == 0) ? part : key.concat(part);
		}
		return key;
	}

}
