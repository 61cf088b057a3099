package io.github.ratelimit.notation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spelling of an attribute and its value in the place where a user writes them. Messages
 * that recommend a value quote it in backticks as YAML, <code>`max-wait: 2s`</code>, and
 * are printed in the notation of the place they are about.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Notation {

	/** {@code max-wait: 2s}. */
	Notation YAML = (attribute, value) -> attribute + ": " + value;

	/** {@code "max-wait": "2s"}, numbers without quotes. */
	Notation JSON = (attribute, value) -> '"' + attribute + "\": "
			+ (value.matches("\\d+") ? value : '"' + value + '"');

	/** {@code maxWait = "2s"}, as attribute of {@code @RateLimited}. */
	Notation ANNOTATION = new AnnotationNotation();

	/**
	 * Spell an attribute and its value.
	 * @param attribute the attribute in kebab case
	 * @param value the value as written in YAML
	 */
	String spell(String attribute, String value);

	/**
	 * Spell the name of an attribute.
	 * @param attribute the attribute in kebab case
	 */
	default String name(String attribute) {
		return attribute;
	}

	/** Print a message in this notation. */
	default String print(String message) {
		return Quotes.PATTERN.matcher(message)
			.replaceAll((quote) -> Matcher.quoteReplacement(spell(quote.group(1), quote.group(2))));
	}

	final class Quotes {

		private static final Pattern PATTERN = Pattern.compile("`([a-z][\\w.\\[\\]-]*): ([^`]+)`");

		private Quotes() {
		}

	}

}
