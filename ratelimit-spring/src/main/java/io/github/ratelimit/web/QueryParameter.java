package io.github.ratelimit.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Parameter in the query of a URL. It is read without the body of the request, which the
 * handler may want to read itself.
 *
 * @since 0.1.0
 */
public final class QueryParameter {

	private QueryParameter() {
	}

	/**
	 * Return the first value of a parameter.
	 * @param query the query as sent, {@code null} if there is none
	 * @return the value, decoded as UTF-8, or {@code null} if there is none or its
	 * encoding is malformed
	 */
	public static @Nullable String first(@Nullable String query, String name) {
		int length = (query != null) ? query.length() : 0;
		for (int from = 0; from < length;) {
			int separator = query.indexOf('&', from);
			int end = (separator < 0) ? length : separator;
			int sign = query.indexOf('=', from);
			boolean hasValue = sign >= 0 && sign < end;
			if (name.equals(decode(query.substring(from, hasValue ? sign : end)))) {
				return hasValue ? decode(query.substring(sign + 1, end)) : "";
			}
			from = end + 1;
		}
		return null;
	}

	private static @Nullable String decode(String text) {
		if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
			return text;
		}
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
