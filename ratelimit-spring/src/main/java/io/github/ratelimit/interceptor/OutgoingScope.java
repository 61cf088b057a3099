package io.github.ratelimit.interceptor;

import java.util.Objects;
import java.util.Set;

/**
 * Scope of the expressions of outgoing requests. The request is the target of the call.
 */
record OutgoingScope() implements ExpressionScope {

	private static final Set<String> PROPERTIES = Set.of("host", "path", "method");

	private static final Set<String> METHODS = Set.of("header");

	@Override
	public Parameters parameters() {
		return Parameters.NONE;
	}

	@Override
	public Set<String> properties() {
		return PROPERTIES;
	}

	@Override
	public Set<String> methods() {
		return METHODS;
	}

	@Override
	public Object root(Call call) {
		return Objects.requireNonNull(call.target());
	}

}
