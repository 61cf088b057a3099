package io.github.ratelimit.notation;

import java.util.Locale;

/**
 * Notation of {@code @RateLimited}: names in camel case, the period as a number of
 * seconds, algorithms as constants, and text in quotes.
 */
final class AnnotationNotation implements Notation {

	@Override
	public String name(String attribute) {
		return KebabCase.toCamelCase(attribute);
	}

	@Override
	public String spell(String attribute, String value) {
		return name(attribute) + " = " + switch (attribute) {
			case "period" -> period(value);
			case "algorithm" -> "Algorithm." + value.replace('-', '_').toUpperCase(Locale.ROOT);
			default -> value.matches("\\d+") ? value : '"' + value + '"';
		};
	}

	/** Write a number of seconds, or milliseconds with their unit. */
	private static String period(String value) {
		return value.endsWith("ms") ? value.replace("ms", "") + ", unit = TimeUnit.MILLISECONDS"
				: value.replace("s", "");
	}

}
