package io.github.ratelimit.interceptor;

import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Root object of the expressions of web requests.
 *
 * @since 0.1.0
 */
public sealed class RequestExpressionRoot permits CallExpressionRoot, EndedRequestExpressionRoot {

	static final Set<String> PROPERTIES = Set.of("ip", "principal", "path");

	static final Set<String> METHODS = Set.of("header", "param", "cookie", "claim", "pathVariable");

	/**
	 * Properties and methods that are texts.
	 */
	static final Set<String> TEXTS = Set.of("ip", "principal", "path", "header", "param", "cookie", "pathVariable");

	private final Call call;

	private final @Nullable PathVariables variables;

	/**
	 * Create a new root object.
	 * @param variables the path variables of the rule, or {@code null} for those of the
	 * handler
	 */
	RequestExpressionRoot(Call call, @Nullable PathVariables variables) {
		this.call = call;
		this.variables = variables;
	}

	/**
	 * Return the address of the caller of the current web request.
	 * @return the address, or {@code null} if a proxy forwards an empty one
	 */
	public @Nullable String getIp() {
		return notEmpty(read("ip", CallContext::ip));
	}

	/**
	 * Return the name of the authenticated user of the current web request.
	 * @return the name, or {@code null} if nobody is authenticated
	 */
	public @Nullable String getPrincipal() {
		return notEmpty(read("principal", CallContext::principal));
	}

	/**
	 * Return the path of the current web request in its canonical form: without the
	 * context path, decoded, without path parameters, empty segments, dots and a trailing
	 * slash.
	 */
	public String getPath() {
		return read("path", CallContext::path);
	}

	/**
	 * Return a header of the current web request.
	 * @return its first value, or {@code null} if it is empty or the request has none
	 */
	public @Nullable String header(String name) {
		return notEmpty(read("header", (request) -> request.header(name)));
	}

	/**
	 * Return a parameter in the query of the current web request.
	 * @return its first value, or {@code null} if it is empty or the query has none
	 */
	public @Nullable String param(String name) {
		return notEmpty(read("param", (request) -> request.param(name)));
	}

	/**
	 * Return a cookie of the current web request.
	 * @return its first value, or {@code null} if it is empty or the request has none
	 */
	public @Nullable String cookie(String name) {
		return notEmpty(read("cookie", (request) -> request.cookie(name)));
	}

	/**
	 * Return a claim of the authenticated user of the current web request: of a JWT, an
	 * opaque token or an OpenID Connect login.
	 * @return its value, or {@code null} if it is empty or the user has none
	 */
	public @Nullable Object claim(String name) {
		return notEmpty(read("claim", (request) -> request.claim(name)));
	}

	/**
	 * Return a variable in the path of the current web request.
	 * @param name its name in the pattern of the rule, or in that of the handler method
	 * @return its value, or {@code null} if it is empty or the path has none
	 */
	public @Nullable String pathVariable(String name) {
		return notEmpty(read("pathVariable", (request) -> (this.variables != null) ? this.variables.value(name, request)
				: request.pathVariable(name)));
	}

	/**
	 * Return {@code null} instead of an empty text or list: all clients that have it
	 * would share a counter.
	 */
	private static <T> @Nullable T notEmpty(@Nullable T value) {
		return ObjectUtils.isEmpty(value) ? null : value;
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
