package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.core.env.Environment;

/**
 * Description and action for a mistake in a rule, an annotation, a property or a class
 * with limited methods. That of a property names file and line, and spells the remedy as
 * the file does.
 */
record RateLimitConfigurationFailureAnalyzer(Environment environment,
		@Nullable BeanFactory beans) implements FailureAnalyzer, Ordered {

	private static final String RULES = "ratelimit.rules.";

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			RateLimitConfigurationException mistake = (each instanceof AopConfigException)
					? UnproxyableClass.ofFailedBean(failure, this.beans) : mistake(each);
			if (mistake != null) {
				return new FailureAnalysis(mistake.description(), mistake.action(), each);
			}
		}
		return null;
	}

	/**
	 * Return the order before Spring Boot's own analyzers, which describe a property that
	 * cannot be bound in general terms.
	 */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	private @Nullable RateLimitConfigurationException mistake(Throwable failure) {
		if (failure instanceof BindException unbound) {
			return BindingMistakes.of(unbound, this.environment);
		}
		if (failure instanceof AnnotationConfigurationException
				&& String.valueOf(failure.getMessage()).contains(RateLimited.class.getName())) {
			return new RateLimitConfigurationException("Invalid @RateLimited: " + failure.getMessage(),
					"Write the name once, @RateLimited(\"reply\") or @RateLimited(name = \"reply\").", failure);
		}
		return (failure instanceof RateLimitConfigurationException mistake) ? located(mistake) : null;
	}

	private RateLimitConfigurationException located(RateLimitConfigurationException cause) {
		if (cause instanceof Mistakes.SeveralException several) {
			return new Mistakes.SeveralException(several.mistakes().stream().map(this::located).toList());
		}
		if (!(cause instanceof InvalidAttributeException invalid)) {
			return cause;
		}
		String property = invalid.location().replaceFirst(", used by .*", "");
		ConfigurationPropertyName name = belowRoot(property, invalid.attribute().equals("name"));
		return (name != null) ? located(invalid, property, name) : cause;
	}

	/**
	 * Return the name of a property, or of a rule whose name Spring Boot reads only in
	 * brackets.
	 */
	private static @Nullable ConfigurationPropertyName belowRoot(String text, boolean isName) {
		if (!text.startsWith("ratelimit.")) {
			return null;
		}
		boolean hasDot = isName && text.matches("ratelimit\\.rules\\.[^\\[]*\\..*");
		return !text.startsWith(RULES) || !hasDot && text.matches("[\\w.\\[\\]-]+")
				? ConfigurationPropertyName.adapt(text, '.')
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
