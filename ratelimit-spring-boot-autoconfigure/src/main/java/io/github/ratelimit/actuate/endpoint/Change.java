package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.notation.DurationWords;
import io.github.ratelimit.notation.Notation;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Requested change of a rule. */
record Change(@Nullable Mode mode, @Nullable String limit, LimitAttributes attributes) {

	static Change of(String rule, @Nullable String max, @Nullable String period, @Nullable String mode,
			@Nullable String limit) {
		LimitAttributes attributes = LimitAttributes.NONE.with(LimitAttribute.MAX, max(rule, max))
			.with(LimitAttribute.PERIOD, duration(rule, "period", period));
		if (mode == null && attributes.equals(LimitAttributes.NONE)) {
			throw new RateLimitConfigurationException("This would change nothing of the rule \"" + rule + "\".",
					"Write max, period or mode, {\"max\": 10} for example.");
		}
		if (limit != null && attributes.equals(LimitAttributes.NONE)) {
			throw invalid("limit", limit, rule, "the mode is that of the whole rule.",
					"Leave limit out, or write max or period beside it.");
		}
		return new Change(mode(rule, mode), limit, attributes);
	}

	/** Describe an invalid parameter of a request about a rule. */
	static InvalidAttributeException invalid(String attribute, @Nullable String value, String rule, String reason,
			String remedy) {
		return new InvalidAttributeException(attribute, '"' + value + '"', reason, remedy)
			.at(attribute + " of \"" + rule + '"');
	}

	/**
	 * Refuse parameters that a request cannot have.
	 * @param remedy the remedy, with a placeholder for the name if it has one
	 * @param namesAndValues the names, each followed by its value, {@code null} if the
	 * request does not have the parameter
	 */
	static void refuse(String rule, String reason, String remedy, @Nullable String... namesAndValues) {
		for (int i = 0; i < namesAndValues.length; i += 2) {
			String name = String.valueOf(namesAndValues[i]);
			if (namesAndValues[i + 1] != null) {
				throw invalid(name, namesAndValues[i + 1], rule, reason, remedy.formatted(name));
			}
		}
	}

	static @Nullable Long max(String rule, @Nullable String text) {
		return number(rule, "max", text, "Write how many units may pass, \"max\": 10 for example.");
	}

	static @Nullable Long number(String rule, String attribute, @Nullable String text, String remedy) {
		try {
			return (text != null) ? Long.valueOf(text.strip()) : null;
		}
		catch (NumberFormatException ex) {
			throw invalid(attribute, text, rule,
					text.strip().matches("\\d+") ? "it is too large." : "it is not a whole number.", remedy);
		}
	}

	static @Nullable Duration duration(String rule, String attribute, @Nullable String text) {
		try {
			return (text != null) ? DurationFormatterUtils.detectAndParse(text.strip(), DurationFormat.Unit.SECONDS)
					: null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			InvalidAttributeException mistake = invalid(attribute, text, rule, "it is not a duration.",
					DurationWords.remedy(String.valueOf(text), attribute, "60s", "seconds"));
			throw mistake.at(mistake.location(), Notation.JSON::print);
		}
	}

	private static @Nullable Mode mode(String rule, @Nullable String text) {
		if (text == null) {
			return null;
		}
		return Arrays.stream(Mode.values())
			.filter((mode) -> mode.name().toLowerCase(Locale.ROOT).equals(text.strip().toLowerCase(Locale.ROOT)))
			.findFirst()
			.orElseThrow(() -> invalid("mode", text, rule, "there is no such mode.", "Write enforce, shadow or off."));
	}

	/** Return whether a switch is on. It may be written without a value. */
	static boolean isTrue(String name, @Nullable String text) {
		return isTrue(name, text, '?' + name);
	}

	/** Return whether a switch in the JSON is on. */
	static boolean isTrueInJson(String name, @Nullable String text) {
		return isTrue(name, text, '"' + name + "\": true");
	}

	private static boolean isTrue(String name, @Nullable String text, String on) {
		if (text == null || text.equalsIgnoreCase("false")) {
			return false;
		}
		if (text.isEmpty() || text.equalsIgnoreCase("true")) {
			return true;
		}
		throw new InvalidAttributeException(name, '"' + text + '"', "it is neither true nor false.",
				"Write " + on + ", or leave it out.");
	}

}
