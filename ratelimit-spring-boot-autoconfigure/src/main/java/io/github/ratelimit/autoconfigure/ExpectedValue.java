package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Expected type of a property, for messages.
 *
 * @param reason the reason why a value of another type is refused
 * @param remedy the remedy, with the attribute quoted
 */
record ExpectedValue(String reason, String remedy) {

	/**
	 * Usual values of attributes of rules, beside those of limits.
	 */
	private static final Map<String, String> USUAL = Map.of("max-wait", "2s", "prefetch", "20ms", "within", "10m",
			"lasting", "1h", "growing-to", "24h", "after", "20");

	/**
	 * Words of other libraries for values of this one.
	 */
	private static final Map<String, String> OTHER_WORDS = Map.of("memory", "local", "in-memory", "local", "caffeine",
			"local", "dry-run", "shadow", "disabled", "off", "fail-open", "allow", "fail-closed", "deny", "gcra",
			"token-bucket");

	private static final Pattern DURATION = Pattern.compile("[+-]?\\d+(ns|us|ms|[smhd])?", Pattern.CASE_INSENSITIVE);

	/**
	 * A number and a unit, in a spelling that Spring Boot does not accept.
	 */
	private static final Pattern WORDS = Pattern.compile("(\\d+)\\s*(ms|mil|[smhd]).*", Pattern.CASE_INSENSITIVE);

	/**
	 * Describe the type of a property.
	 * @param property the property
	 * @param attribute its name behind the last dot
	 * @param value the value that it cannot have
	 * @return the type, or {@code null} if any text fits
	 */
	static @Nullable ExpectedValue of(PropertyTree.Node property, String attribute, String value) {
		Class<?> type = property.isCollection() ? property.elementType() : property.rawType();
		if (type.isEnum()) {
			return constant(type, attribute, value);
		}
		if (type == Duration.class) {
			return duration(property, attribute, value);
		}
		if (type == boolean.class || type == Boolean.class) {
			return new ExpectedValue("it is neither true nor false.",
					"Write `" + attribute + ": true` or `" + attribute + ": false`.");
		}
		if (type == double.class) {
			return new ExpectedValue("it is not a number.", "Write `" + attribute + ": 0.25` for example.");
		}
		return !ClassUtils.isPrimitiveOrWrapper(type) ? null : new ExpectedValue("it is not a whole number.",
				"Write `" + attribute + ": " + usual(property, attribute, "5") + "` for example.");
	}

	private static String usual(PropertyTree.Node property, String attribute, String otherwise) {
		return Optional.ofNullable(property.defaultValue())
			.or(() -> LimitAttribute.all()
				.stream()
				.filter((known) -> known.name().equals(attribute))
				.findFirst()
				.map(LimitAttribute::example))
			.orElseGet(() -> USUAL.getOrDefault(attribute, otherwise));
	}

	private static ExpectedValue constant(Class<?> type, String attribute, String value) {
		List<String> known = Arrays.stream(type.getEnumConstants())
			.filter((constant) -> constant != Algorithm.DEFAULT)
			.map((constant) -> name((Enum<?>) constant))
			.toList();
		String wrong = Arrays.stream(value.split("\\s*,\\s*"))
			.filter((each) -> known.stream().noneMatch(each::equalsIgnoreCase))
			.findFirst()
			.orElse(value);
		Optional<String> meant = Optional.ofNullable(OTHER_WORDS.get(wrong.toLowerCase(Locale.ROOT)))
			.filter(known::contains)
			.or(() -> NearestName.of(wrong, known))
			.or(() -> known.stream().filter((name) -> name.startsWith(wrong)).findFirst());
		return new ExpectedValue(
				"it is not one of " + String.join(", ", known) + '.'
						+ meant.map((name) -> " Did you mean " + name + '?').orElse(""),
				"Write `" + attribute + ": " + meant.orElse(known.get(0)) + '`'
						+ (meant.isPresent() ? "." : " for example."));
	}

	/**
	 * Return the name of a constant. HTTP methods are written in upper case.
	 */
	private static String name(Enum<?> constant) {
		return (constant instanceof RateLimitProperties.HttpMethod) ? constant.name() : KebabCase.of(constant);
	}

	private static ExpectedValue duration(PropertyTree.Node property, String attribute, String value) {
		Matcher words = WORDS.matcher(value);
		String example = usual(property, attribute, "1s");
		String meant = words.matches() ? words.group(1) + words.group(2).toLowerCase(Locale.ROOT).replace("mil", "ms")
				: example;
		boolean outOfRange = DURATION.matcher(value).matches();
		return new ExpectedValue(outOfRange ? "it is longer than any duration can be." : "it is not a duration.",
				"Write a number and ms, s, m, h or d, `" + attribute + ": " + (outOfRange ? example : meant)
						+ "` for example; a number alone means "
						+ (property.isInSeconds() ? "seconds." : "milliseconds."));
	}

}
