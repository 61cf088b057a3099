package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/** Call of a limited method, or a request, on which expressions are evaluated. */
record Call(@Nullable Object target, @Nullable Object[] arguments, @Nullable CallContext context) {

	private static final @Nullable Object[] NO_ARGUMENTS = new Object[0];

	static Call of(CallContext request) {
		return new Call(null, NO_ARGUMENTS, request);
	}

	static Call of(OutgoingRequest request) {
		return new Call(request, NO_ARGUMENTS, null);
	}

}
