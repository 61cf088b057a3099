package io.github.ratelimit.notation;

import java.util.Locale;

/**
 * Names as configuration files, metric tags and messages spell them.
 *
 * @since 0.1.0
 */
public final class KebabCase {

	private KebabCase() {
	}

	/** Spell a constant, {@code sliding-log} for {@code SLIDING_LOG}. */
	public static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Spell an identifier, {@code reply-service} for {@code ReplyService}. */
	public static String of(String identifier) {
		return identifier.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
			.replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
			.replaceAll("[^A-Za-z0-9]+", "-")
			.toLowerCase(Locale.ROOT);
	}

	/** Spell a name as Java and JSON do, {@code maxWait} for {@code max-wait}. */
	public static String toCamelCase(String name) {
		StringBuilder camelCase = new StringBuilder();
		for (String word : name.split("-+")) {
			camelCase.append((camelCase.isEmpty() || word.isEmpty()) ? word
					: word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
		}
		return camelCase.toString();
	}

}
