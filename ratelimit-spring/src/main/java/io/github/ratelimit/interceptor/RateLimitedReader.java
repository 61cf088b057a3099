package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.notation.DurationWords;
import io.github.ratelimit.notation.Notation;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RuleAttribute;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleOptions;
import io.github.ratelimit.engine.RuleSource;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reader of the rule that an annotation defines. */
final class RateLimitedReader {

	private final Map<String, Object> derivedNames = new ConcurrentHashMap<>();

	RuleDefinition read(MergedAnnotation<RateLimited> annotation) {
		String written = annotation.getString("name");
		Object element = RateLimitedFinder.annotatedElement(annotation);
		String derived = ElementNames.ruleName(element);
		RuleSource source = RuleSource.annotation(ElementNames.describe(element), derived);
		String name = written.isEmpty() ? unique(derived, element) : written;
		LimitAttributes limit = LimitAttributes.NONE.with(LimitAttribute.MAX, number(annotation, "max"))
			.with(LimitAttribute.PERIOD, period(annotation, source))
			.with(LimitAttribute.BURST, number(annotation, "burst"))
			.with(LimitAttribute.ALGORITHM, algorithm(annotation));
		return new RuleDefinition(name, source,
				RuleOptions.NONE.with(RuleAttribute.MAX_WAIT, maxWait(annotation, source)), limit, List.of());
	}

	/**
	 * Return a derived name that no other element has. Several annotations of one element
	 * may derive the same name, which {@link LimitedMethodSource} refuses.
	 */
	private String unique(@Nullable String name, Object element) {
		if (name == null) {
			throw new RateLimitConfigurationException(
					"@RateLimited on " + ElementNames.describe(element) + ": no rule name can be derived, since "
							+ (ElementNames.isAnonymous(element) ? "its class is anonymous."
									: "names of rules have only letters from a to z, digits and hyphens."),
					"Give the rule a name, @RateLimited(name = \"reply\", ...) for example.");
		}
		Object earlier = this.derivedNames.putIfAbsent(name, element);
		if (earlier != null && !earlier.equals(element)) {
			throw new RateLimitConfigurationException(
					"@RateLimited on " + ElementNames.describeBoth(element, earlier, " and @RateLimited on ")
							+ " both derive the rule name \"" + name + "\".",
					"Give at least one of them a name of its own, @RateLimited(name = \"" + name + "-2\", ...) for "
							+ "example.");
		}
		return name;
	}

	private static @Nullable Long number(MergedAnnotation<RateLimited> annotation, String attribute) {
		long value = annotation.getLong(attribute);
		return (value == RateLimited.UNSET) ? null : value;
	}

	private static @Nullable Duration period(MergedAnnotation<RateLimited> annotation, RuleSource source) {
		Long period = number(annotation, "period");
		if (period == null) {
			return null;
		}
		TimeUnit unit = annotation.getEnum("unit", TimeUnit.class);
		try {
			return Duration.of(period, unit.toChronoUnit());
		}
		catch (ArithmeticException ex) {
			throw new InvalidAttributeException("period", period + " " + unit,
					"it has to be between 1 ms and 366 days.",
					"Write a shorter period, `period: 60s` for example; a number without a unit means seconds.")
				.at(source.at("period"), Notation.ANNOTATION::print);
		}
	}

	private static @Nullable Duration maxWait(MergedAnnotation<RateLimited> annotation, RuleSource source) {
		String text = annotation.getString("maxWait");
		if (text.isEmpty()) {
			return null;
		}
		try {
			return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.SECONDS);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new InvalidAttributeException("max-wait", '"' + text + '"', "it is not a duration.",
					DurationWords.remedy(text, "max-wait", "2s", "seconds"))
				.at(source.at("max-wait"), Notation.ANNOTATION::print);
		}
	}

	private static @Nullable Algorithm algorithm(MergedAnnotation<RateLimited> annotation) {
		Algorithm algorithm = annotation.getEnum("algorithm", Algorithm.class);
		return (algorithm == Algorithm.DEFAULT) ? null : algorithm;
	}

}
