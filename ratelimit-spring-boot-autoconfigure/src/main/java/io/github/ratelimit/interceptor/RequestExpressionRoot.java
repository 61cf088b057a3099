package io.github.ratelimit.interceptor;

import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Root object of the expressions of web requests.
 *
 * @since 0.1.0
 */
public sealed class RequestExpressionRoot permits CallExpressionRoot, EndedRequestExpressionRoot {

	static final Set<String> PROPERTIES = Set.of("ip", "principal", "path");

	static final Set<String> METHODS = Set.of("header");

	private final Call call;

	RequestExpressionRoot(Call call) {
		this.call = call;
	}

	/**
	 * Return the address of the caller of the current web request.
	 * @return the address
	 */
	public String getIp() {
		return read("ip", CallContext::ip);
	}

	/**
	 * Return the name of the authenticated user of the current web request.
	 * @return the name, or {@code null} if nobody is authenticated
	 */
	public @Nullable String getPrincipal() {
		return read("principal", CallContext::principal);
	}

	/**
	 * Return the path of the current web request in its canonical form: without the
	 * context path, decoded, without path parameters, empty segments, dots and a trailing
	 * slash.
	 * @return the path
	 */
	public String getPath() {
		return read("path", CallContext::path);
	}

	/**
	 * Return a header of the current web request.
	 * @param name its name
	 * @return its first value, or {@code null} if the request has none
	 */
	public @Nullable String header(String name) {
		return read("header", (request) -> request.header(name));
	}

	private <T extends @Nullable Object> T read(String property, Function<CallContext, T> value) {
		CallContext context = this.call.context();
		if (context == null) {
			throw new RequestAccessException("'" + property + "' is known inside a web request only");
		}
		try {
			return value.apply(context);
		}
		catch (IllegalStateException ex) {
			throw new RequestAccessException(ex.getMessage());
		}
	}

}
