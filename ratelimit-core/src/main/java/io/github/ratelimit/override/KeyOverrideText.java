package io.github.ratelimit.override;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.KeyOverride;
import org.jspecify.annotations.Nullable;

/**
 * Text of a stored override of a key: words that people can read as well.
 * {@code until=1795248000000 max=900}, and {@code minute.max=60 day.max=900} for several
 * limits; {@code blocked} or {@code unlimited}. The end is in milliseconds of the store's
 * clock, in front.
 *
 * @param words the text without its end
 * @param lasting how long it holds from the moment at which it is stored, or {@code null}
 * @param until its end in milliseconds, or {@code null}
 * @since 0.1.0
 */
public record KeyOverrideText(String words, @Nullable Duration lasting, @Nullable Instant until) {

	private static final String UNTIL = "until=";

	private static final String MAX = "max";

	private static final String BLOCKED = "blocked";

	private static final String UNLIMITED = "unlimited";

	static KeyOverrideText of(KeyOverride override) {
		return new KeyOverrideText(words(override), override.lasting(), override.until());
	}

	private static String words(KeyOverride override) {
		if (override.isBlocked()) {
			return BLOCKED;
		}
		if (override.isUnlimited()) {
			return UNLIMITED;
		}
		List<String> words = new ArrayList<>();
		override.maxima().forEach((limit, max) -> words.add((limit.isEmpty() ? "" : limit + '.') + MAX + '=' + max));
		return String.join(" ", words);
	}

	/**
	 * Return the text at the time at which it is stored.
	 * @param nowMillis the time of the store in milliseconds
	 * @return the whole text
	 */
	public String at(long nowMillis) {
		Instant end = (this.lasting != null) ? Instant.ofEpochMilli(nowMillis).plus(this.lasting) : this.until;
		return (end != null) ? UNTIL + end.toEpochMilli() + ' ' + this.words : this.words;
	}

	/**
	 * Return the end of a stored text.
	 * @param text the whole text
	 * @return the end in milliseconds, {@link Long#MAX_VALUE} for none
	 */
	public static long end(String text) {
		return text.startsWith(UNTIL) ? Long.parseLong(text.substring(UNTIL.length(), text.indexOf(' ')))
				: Long.MAX_VALUE;
	}

	/**
	 * Read a stored text, perhaps of another version of this library.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static KeyOverride read(String text) {
		KeyOverride override = null;
		Instant until = null;
		for (String word : text.split(" ")) {
			int sign = word.indexOf('=');
			String name = (sign < 0) ? word : word.substring(0, sign);
			String value = word.substring(sign + 1);
			if (name.equals("until")) {
				until = time(value);
			}
			else {
				override = with(override, name, value);
			}
		}
		if (override == null) {
			throw new IllegalArgumentException("nothing is overridden");
		}
		return override.until(until);
	}

	private static KeyOverride with(@Nullable KeyOverride override, String name, String value) {
		if (override == null && name.equals(BLOCKED)) {
			return KeyOverride.blocked();
		}
		if (override == null && name.equals(UNLIMITED)) {
			return KeyOverride.unlimited();
		}
		boolean isOfOnlyLimit = name.equals(MAX);
		if ((!isOfOnlyLimit && !name.endsWith('.' + MAX)) || (override != null && override.maxima().isEmpty())) {
			throw new IllegalArgumentException("unknown: \"" + name + '"');
		}
		String limit = isOfOnlyLimit ? "" : name.substring(0, name.length() - MAX.length() - 1);
		long max = Long.parseLong(value);
		return (override != null) ? override.and(limit, max) : KeyOverride.max(limit, max);
	}

	private static Instant time(String millis) {
		try {
			return Instant.ofEpochMilli(Long.parseLong(millis));
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException('"' + millis + "\" is not a time", ex);
		}
	}

}
