package io.github.ratelimit.interceptor;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** Compiled expression of an annotation. */
@FunctionalInterface
interface CallExpression {

	@Nullable Object evaluate(Call call);

	/**
	 * Return the part that is missing in the web request of a call.
	 * @param call a call on which the expression is null or fails
	 * @return the part in the client's terms, or {@code null} if there is another reason
	 */
	default @Nullable String missingPart(Call call) {
		return null;
	}

	/**
	 * Return the part of the web request of a call that the expression has passed on.
	 * @return the part in the client's terms, or {@code null} if the value is none
	 */
	default @Nullable String partWith(Object value, Call call) {
		return null;
	}

	/**
	 * Return the parts of a web request that the expression needs, and that a client may
	 * leave out.
	 */
	default List<String> needs() {
		return List.of();
	}

}
