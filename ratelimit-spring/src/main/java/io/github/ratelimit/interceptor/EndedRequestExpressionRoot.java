package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Root object of the expressions of web requests that have ended.
 *
 * @since 0.1.0
 */
public final class EndedRequestExpressionRoot extends RequestExpressionRoot {

	static final String STATUS = "status";

	private final Call call;

	EndedRequestExpressionRoot(Call call, @Nullable PathVariables variables) {
		super(call, variables);
		this.call = call;
	}

	/**
	 * Return the status of the response.
	 * @return the HTTP status code; 499 if the client disconnected before there was one
	 */
	public @Nullable Object getStatus() {
		return this.call.arguments()[0];
	}

}
