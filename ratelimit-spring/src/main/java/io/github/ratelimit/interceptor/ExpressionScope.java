package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;

/** Names that an expression may use, and their values. */
interface ExpressionScope {

	default Parameters parameters() {
		return Parameters.NONE;
	}

	Set<String> properties();

	default Set<String> methods() {
		return RequestExpressionRoot.METHODS;
	}

	/** Return whether a property or a method is a text, whose members are known. */
	default boolean isText(String name) {
		return RequestExpressionRoot.TEXTS.contains(name);
	}

	/** Return what stands here for a property or a method of web requests. */
	default String insteadOf(String nameInRequests) {
		return nameInRequests;
	}

	/**
	 * Check a part of an expression, whose names exist.
	 * @throws RefusedExpressionException if it cannot mean anything
	 */
	default void check(SpelNode part) {
		// nothing
	}

	/**
	 * Return the names of the path variables.
	 * @return {@code null} if they are unknown
	 */
	default @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return null;
	}

	/**
	 * Return whether parts of the request that an expression reads at the end of a call
	 * are read at its beginning, since they may have changed by then.
	 */
	default boolean readsEarly() {
		return true;
	}

	default ExpressionScope atEnd() {
		return this;
	}

	Object root(Call call);

}
