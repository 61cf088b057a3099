package io.github.ratelimit.interceptor;

/**
 * Part of a request.
 *
 * @since 0.1.0
 */
public enum RequestPart {

	/** Address of the caller, empty if a proxy forwards an empty one. */
	IP("ip"),

	PRINCIPAL("principal"),

	/**
	 * Path in the form that rules match: without the context path, decoded, without path
	 * parameters, empty segments, dots and a trailing slash.
	 */
	PATH("path"),

	/** Path as the client has sent it, without the context path. */
	SENT_PATH("path"),

	HEADER("header"),

	/**
	 * First value of a parameter in the query of the URL. The body of the request is not
	 * read.
	 */
	PARAM("param"),

	COOKIE("cookie"),

	CLAIM("claim"),

	PATH_VARIABLE("pathVariable");

	private final String expression;

	RequestPart(String expression) {
		this.expression = expression;
	}

	String expression() {
		return this.expression;
	}

}
