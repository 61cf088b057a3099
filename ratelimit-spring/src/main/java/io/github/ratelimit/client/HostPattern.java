package io.github.ratelimit.client;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.interceptor.OutgoingRequest;
import org.jspecify.annotations.Nullable;

/**
 * Hosts whose requests a rule limits: one host, or all below a domain, on one port or on
 * all.
 *
 * @param host the host in lower case, or the domain behind {@code *}, with its dot
 * @param isDomain whether all hosts below the domain match
 * @param port the port, {@code null} for all
 * @since 0.1.0
 */
public record HostPattern(String host, boolean isDomain, @Nullable Integer port) {

	private static final Pattern SYNTAX = Pattern
		.compile("(\\*(?=\\.))?([\\w.-]*[\\w-]|\\[[\\da-fA-F:.]+])(?::(\\d{1,5}))?");

	private static final Pattern URL = Pattern.compile("\\w+://([^/?#]+).*");

	private static final int MAX_PORT = 65_535;

	/**
	 * Parse a pattern.
	 * @param text {@code api.example.com}, {@code *.example.com} or either with a port
	 * @throws InvalidAttributeException if it is none
	 */
	public static HostPattern of(@Nullable String text) {
		if (text == null || text.isBlank()) {
			throw new InvalidAttributeException("host", (text != null) ? '"' + text + '"' : null,
					"it selects the outgoing requests to limit.",
					"Write `host: api.example.com`, or `host: \"*.example.com\"` for all hosts below it.");
		}
		Matcher matcher = SYNTAX.matcher(text.strip());
		if (!matcher.matches()) {
			throw invalid(text, "it is not a host: it has no scheme and no path, and a * stands only in front of a "
					+ "whole domain.");
		}
		Integer port = (matcher.group(3) != null) ? Integer.valueOf(matcher.group(3)) : null;
		if (port != null && (port < 1 || port > MAX_PORT)) {
			throw invalid(text, "a port is between 1 and " + MAX_PORT + ".");
		}
		return new HostPattern(matcher.group(2).toLowerCase(Locale.ROOT), matcher.group(1) != null, port);
	}

	private static InvalidAttributeException invalid(String text, String reason) {
		Matcher url = URL.matcher(text);
		return new InvalidAttributeException("host", '"' + text + '"', reason, url.matches()
				? "Write `host: " + url.group(1) + "`."
				: "Write `host: api.example.com`, `host: api.example.com:8443`, or `host: \"*.example.com\"` for "
						+ "all hosts below it.");
	}

	boolean matches(OutgoingRequest request) {
		String requested = request.getHost();
		boolean isHost = this.isDomain ? requested.length() > this.host.length() && requested.endsWith(this.host)
				: requested.equals(this.host);
		return isHost && (this.port == null || this.port == request.port());
	}

}
