package io.github.ratelimit.interceptor;

import java.net.URI;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Request that this application sends to another one, and root object of the key
 * expressions of such requests.
 *
 * @since 0.1.0
 */
public final class OutgoingRequest {

	/**
	 * Host and port, also of hosts with an underscore, for which {@link URI#getHost()}
	 * returns {@code null}.
	 */
	private static final Pattern AUTHORITY = Pattern.compile("(?:.*@)?(\\[[^]]*]|[^:]*)(?::(\\d{1,5}))?");

	private final String method;

	private final URI uri;

	private final UnaryOperator<@Nullable String> headers;

	private final String host;

	private final int port;

	public OutgoingRequest(String method, URI uri, UnaryOperator<@Nullable String> headers) {
		this.method = method;
		this.uri = uri;
		this.headers = headers;
		Matcher authority = AUTHORITY.matcher((uri.getRawAuthority() != null) ? uri.getRawAuthority() : "");
		boolean found = authority.matches();
		this.host = found ? canonical(authority.group(1)) : "";
		this.port = (found && authority.group(2) != null) ? Integer.parseInt(authority.group(2)) : defaultPort(uri);
	}

	private static String canonical(String host) {
		String name = host.toLowerCase(Locale.ROOT);
		return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
	}

	private static int defaultPort(URI uri) {
		return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
	}

	public String getHost() {
		return this.host;
	}

	public int port() {
		return this.port;
	}

	/**
	 * Return the path of the request.
	 * @return the path, decoded, {@code /} if the URI has none
	 */
	public String getPath() {
		String path = this.uri.getPath();
		return (path == null || path.isEmpty()) ? "/" : path;
	}

	public String getMethod() {
		return this.method;
	}

	public @Nullable String header(String name) {
		String value = this.headers.apply(name);
		return "".equals(value) ? null : value;
	}

}
