package io.github.ratelimit.interceptor;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.RuleSource;
import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.ParseException;

/** Annotated method. Expressions in the properties of the rule replace its own. */
record AnnotatedPlace(RuleLimiter limiter, RuleRegistry registry, String location,
		MergedAnnotation<RateLimited> annotation, RuleSource source, MethodScope scope) implements OperationPlace {

	@Override
	public @Nullable Written written(String attribute, @Nullable String ofRule) {
		String own = own(attribute);
		if (ofRule == null && own.isEmpty()) {
			return null;
		}
		String rule = this.limiter.rule().name();
		if (attribute.equals("key") && ofRule != null && ofRule.isBlank()) {
			throw empty(ofRule, own).at("ratelimit.rules." + rule + ".key");
		}
		if (attribute.equals("priority") && this.limiter.rule().headroom().isEmpty()) {
			throw new InvalidAttributeException(attribute, '"' + own + '"',
					"the rule has no headroom, so all classes of calls are equal.",
					"Write what a class leaves free, ratelimit.rules." + rule
							+ ".headroom.low: 30% in the properties or headroom(..) of RateLimitRule.Builder for example; or "
							+ "remove it.")
				.at(this.source.at(attribute));
		}
		Written written = (ofRule != null) ? Written.ofRule(rule, attribute, ofRule, this.location)
				: new Written(own, "@RateLimited on " + this.location, true);
		if (written.text().isBlank()) {
			throw new RateLimitConfigurationException(invalid(attribute, written) + "is blank.",
					"Remove it, or write an expression: parameters are written as #name, text in single quotes.");
		}
		return written;
	}

	private String own(String attribute) {
		return (attribute.equals("zone") || this.annotation.hasDefaultValue(attribute)) ? ""
				: this.annotation.getString(attribute);
	}

	/**
	 * Refuse an empty key: in YAML an unquoted expression that begins with # is a
	 * comment.
	 */
	private static InvalidAttributeException empty(String key, String replaced) {
		String reason = replaced.isBlank() ? "it is empty, so that"
				: "it is empty, and would replace the key \"" + replaced + "\" of the annotation, so that";
		return new InvalidAttributeException("key", '"' + key + '"', reason + " all callers share one counter.",
				"In YAML quote what begins with #, `key: \"" + (replaced.isBlank() ? "#userId" : replaced)
						+ "\"`; or remove it. For one counter on purpose write a text, `key: \"'all'\"`.");
	}

	@Override
	public void settles(@Nullable String unless, @Nullable String settle) {
		RateLimitRule rule = this.limiter.rule();
		try {
			rule.withSettling(unless, settle);
			this.registry.settle(rule.name(), unless != null, settle);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(this.source.at(ex.attribute()), Notation.ANNOTATION::print);
		}
	}

	@Override
	public RateLimitConfigurationException mistake(String attribute, Written written, RuntimeException failure) {
		String invalid = invalid(attribute, written);
		if (failure instanceof ParseException syntax) {
			return new RateLimitConfigurationException(
					invalid + "is not a SpEL expression: " + syntax.getSimpleMessage() + ".",
					"Parameters are written as #name, text in single quotes: \"#userId + ':reply'\" for example.",
					syntax);
		}
		return new RateLimitConfigurationException(invalid + failure.getMessage() + ".", remedy(failure));
	}

	private static String invalid(String attribute, Written written) {
		return "Invalid " + written.where() + ": " + attribute + " \"" + written.text() + "\" ";
	}

	private static String remedy(RuntimeException failure) {
		if (failure instanceof RefusedExpressionException refused) {
			return refused.remedy().isEmpty() ? "Use one of the known names; a text is in single quotes, \"'all'\"."
					: refused.remedy();
		}
		return "Write an expression that is true or false: \"#text.length() > 100\" for example.";
	}

}
