package io.github.ratelimit.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Reader of the {@code RateLimit} field of draft-ietf-httpapi-ratelimit-headers: a list
 * of items with parameters, as in RFC 9651. A malformed field has no meaning.
 */
final class RateLimitField {

	private static final int LONGEST = 8_192;

	private static final String BARE_ITEM = "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){0,1024}+\""
			+ "|[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*+|-?\\d{1,12}\\.\\d{1,3}|@?-?\\d{1,15}|\\?[01]|:[A-Za-z0-9+/=]*+:";

	private static final Pattern ITEM = Pattern.compile(BARE_ITEM);

	private static final Pattern PARAMETER = Pattern.compile("; *+([a-z*][a-z0-9_.*-]*+)(?:=(" + BARE_ITEM + "))?");

	private static final Pattern SEPARATOR = Pattern.compile("[ \\t]*+,[ \\t]*+");

	private static final Pattern COUNT = Pattern.compile("\\d{1,15}");

	private final String text;

	private int position;

	private RateLimitField(String text) {
		this.text = text.strip();
	}

	/**
	 * Return the longest time until a quota without remaining units is renewed.
	 * @return the time, or {@code null} if no member has {@code r=0} and {@code t}
	 */
	static @Nullable Duration exhaustedFor(String text) {
		return (text.length() > LONGEST) ? null : new RateLimitField(text).read();
	}

	private @Nullable Duration read() {
		long longest = -1;
		do {
			if (next(ITEM) == null) {
				return null;
			}
			longest = Math.max(longest, exhaustedFor(parameters()));
		}
		while (next(SEPARATOR) != null);
		return (this.position == this.text.length() && longest >= 0) ? Duration.ofSeconds(longest) : null;
	}

	private Map<String, String> parameters() {
		Map<String, String> parameters = new HashMap<>();
		for (Matcher next = next(PARAMETER); next != null; next = next(PARAMETER)) {
			parameters.put(next.group(1), (next.group(2) != null) ? next.group(2) : "?1");
		}
		return parameters;
	}

	private static long exhaustedFor(Map<String, String> parameters) {
		String remaining = parameters.getOrDefault("r", "");
		String time = parameters.getOrDefault("t", "");
		boolean isExhausted = COUNT.matcher(remaining).matches() && Long.parseLong(remaining) == 0;
		return (isExhausted && COUNT.matcher(time).matches()) ? Long.parseLong(time) : -1;
	}

	private @Nullable Matcher next(Pattern pattern) {
		Matcher matcher = pattern.matcher(this.text).region(this.position, this.text.length());
		if (!matcher.lookingAt()) {
			return null;
		}
		this.position = matcher.end();
		return matcher;
	}

}
