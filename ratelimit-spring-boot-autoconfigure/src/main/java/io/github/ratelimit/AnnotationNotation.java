package io.github.ratelimit;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Attributes as they are written in {@code @RateLimited}: names in camel case, the period
 * as a number of seconds, algorithms as constants, and text in quotes.
 */
final class AnnotationNotation implements Notation {

	private static final Pattern WORD_BOUNDARY = Pattern.compile("-([a-z])");

	@Override
	public String name(String attribute) {
		return WORD_BOUNDARY.matcher(attribute).replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
	}

	@Override
	public String spell(String attribute, String value) {
		return name(attribute) + " = " + switch (attribute) {
			case "period" -> period(value);
			case "algorithm" -> "Algorithm." + value.replace('-', '_').toUpperCase(Locale.ROOT);
			default -> value.matches("\\d+") ? value : '"' + value + '"';
		};
	}

	/**
	 * A number of seconds, unless the unit is written as well.
	 */
	private static String period(String value) {
		return value.endsWith("ms") ? value.replace("ms", "") + ", unit = TimeUnit.MILLISECONDS"
				: value.replace("s", "");
	}

}
