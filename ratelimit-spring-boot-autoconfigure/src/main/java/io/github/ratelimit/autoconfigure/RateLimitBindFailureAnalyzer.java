package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Description and action for a property of this project that cannot be bound, before
 * Spring Boot's own analyzers describe it in general terms.
 */
class RateLimitBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

	private final Environment environment;

	RateLimitBindFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		RateLimitConfigurationException mistake = BindingMistakes.of(cause, this.environment);
		return (mistake != null) ? new FailureAnalysis(mistake.description(), mistake.action(), cause) : null;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
