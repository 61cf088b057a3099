package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Root object of the expressions of web requests.
 *
 * @since 0.1.0
 */
public sealed class RequestExpressionRoot {

	static final Set<String> PROPERTIES = Set.of("ip", "principal", "path");

	static final Set<String> METHODS = Set.of("header", "param", "cookie", "claim", "pathVariable");

	static final Set<String> TEXTS = Set.of("ip", "principal", "path", "header", "param", "cookie", "pathVariable");

	private final Call call;

	private final @Nullable PathVariables variables;

	RequestExpressionRoot(Call call, @Nullable PathVariables variables) {
		this.call = call;
		this.variables = variables;
	}

	public @Nullable String getIp() {
		return text(RequestPart.IP, "");
	}

	public @Nullable String getPrincipal() {
		return text(RequestPart.PRINCIPAL, "");
	}

	/**
	 * Return the path of the current web request in its canonical form: without the
	 * context path, decoded, without path parameters, empty segments, dots and a trailing
	 * slash.
	 */
	public String getPath() {
		return Objects.requireNonNull(text(RequestPart.PATH, ""));
	}

	public @Nullable String header(String name) {
		return text(RequestPart.HEADER, name);
	}

	public @Nullable String param(String name) {
		return text(RequestPart.PARAM, name);
	}

	public @Nullable String cookie(String name) {
		return text(RequestPart.COOKIE, name);
	}

	/**
	 * Return a claim of the authenticated user of the current web request: of a JWT, an
	 * opaque token or an OpenID Connect login.
	 */
	public @Nullable Object claim(String name) {
		return read(RequestPart.CLAIM, name);
	}

	public @Nullable String pathVariable(String name) {
		return text(RequestPart.PATH_VARIABLE, name);
	}

	private @Nullable String text(RequestPart part, String name) {
		return (String) read(part, name);
	}

	/**
	 * Read a part. An empty text or list counts as none: all clients that have it would
	 * share a counter.
	 */
	private @Nullable Object read(RequestPart part, String name) {
		CallContext context = this.call.context();
		if (context == null) {
			throw new RequestAccessException("'" + part.expression() + "' is known inside a web request only");
		}
		try {
			Object value = (this.variables != null && part == RequestPart.PATH_VARIABLE)
					? this.variables.value(name, context) : context.read(part, name);
			return ObjectUtils.isEmpty(value) ? null : value;
		}
		catch (IllegalStateException ex) {
			throw new RequestAccessException(ex.getMessage());
		}
	}

	/**
	 * Failure of an expression that needs a web request where there is none, or a value
	 * that the request cannot provide.
	 */
	static final class RequestAccessException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		RequestAccessException(String message) {
			super(message, null, false, false);
		}

		static @Nullable RequestAccessException in(Throwable failure) {
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof RequestAccessException found) {
					return found;
				}
			}
			return null;
		}

	}

	public static final class OfMethod extends RequestExpressionRoot {

		static final Set<String> PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args", "ip",
				"principal", "path");

		private final Method method;

		OfMethod(Method method, Call call) {
			super(call, null);
			this.method = method;
		}

		public Method getMethod() {
			return this.method;
		}

		public String getMethodName() {
			return this.method.getName();
		}

		public @Nullable Object getTarget() {
			return super.call.target();
		}

		public Class<?> getTargetClass() {
			Object target = super.call.target();
			return (target != null) ? target.getClass() : this.method.getDeclaringClass();
		}

		public @Nullable Object[] getArgs() {
			@Nullable Object[] arguments = super.call.arguments();
			int count = this.method.getParameterCount();
			return (arguments.length > count) ? Arrays.copyOf(arguments, count) : arguments;
		}

	}

	public static final class Ended extends RequestExpressionRoot {

		static final String STATUS = "status";

		Ended(Call call, @Nullable PathVariables variables) {
			super(call, variables);
		}

		/**
		 * Return the status of the response.
		 * @return the HTTP status code; 499 if the client disconnected before there was
		 * one
		 */
		public @Nullable Object getStatus() {
			return super.call.arguments()[0];
		}

	}

}
