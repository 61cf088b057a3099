package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Description and action for a mistake in a rule, an annotation or a property. That of a
 * property names file and line, and spells the remedy as the file does.
 */
class RateLimitConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<RateLimitConfigurationException> {

	private static final String RULES = "ratelimit.rules.";

	private final Environment environment;

	RateLimitConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RateLimitConfigurationException cause) {
		RateLimitConfigurationException located = located(cause);
		return new FailureAnalysis(located.description(), located.action(), cause);
	}

	private RateLimitConfigurationException located(RateLimitConfigurationException cause) {
		if (cause instanceof SeveralMistakesException several) {
			return new SeveralMistakesException(several.mistakes().stream().map(this::located).toList());
		}
		if (!(cause instanceof InvalidAttributeException invalid)) {
			return cause;
		}
		String property = invalid.location().replaceFirst(", used by .*", "");
		ConfigurationPropertyName name = belowRoot(property);
		return (name != null) ? located(invalid, property, name) : cause;
	}

	/**
	 * Return the name of a property, or of a rule whose name Spring Boot reads only in
	 * brackets.
	 */
	private static @Nullable ConfigurationPropertyName belowRoot(String text) {
		if (!text.startsWith("ratelimit.")) {
			return null;
		}
		return !text.startsWith(RULES) || text.matches("[\\w.\\[\\]-]+") ? ConfigurationPropertyName.adapt(text, '.')
				: ConfigurationPropertyName.of("ratelimit.rules").append('[' + text.substring(RULES.length()) + ']');
	}

	private RateLimitConfigurationException located(InvalidAttributeException cause, String property,
			ConfigurationPropertyName name) {
		PropertyOrigin origin = PropertyOrigin.find(name, this.environment);
		String action = cause.at(cause.location(), origin.notation(property, cause.attribute())::print).action();
		String place = cause.isMissing() ? origin.sentence("The property next to it") : origin.sentence();
		return new RateLimitConfigurationException(cause.description() + place, action, cause);
	}

}
