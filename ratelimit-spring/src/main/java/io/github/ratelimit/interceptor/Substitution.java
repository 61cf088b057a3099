package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Value with a substitute ({@code ?:}), which applies if the value is null or empty. An
 * empty optional counts as null, as do values of a web request outside one.
 *
 * @param value the value
 * @param substitute the substitute
 */
record Substitution(CallExpression value, CallExpression substitute) implements CallExpression {

	@Override
	public @Nullable Object evaluate(Call call) {
		Object known = known(call);
		return (known == null || known.equals("")) ? this.substitute.evaluate(call) : known;
	}

	private @Nullable Object known(Call call) {
		try {
			return KeyText.held(this.value.evaluate(call));
		}
		catch (RuntimeException ex) {
			if (call.context() == null && RequestAccessException.in(ex) != null) {
				return null;
			}
			throw ex;
		}
	}

}
