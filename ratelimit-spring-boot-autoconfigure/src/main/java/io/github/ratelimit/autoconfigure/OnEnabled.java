package io.github.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that matches unless {@code ratelimit.enabled} is false. The property is read
 * as it is when it is bound: Spring Boot's own conditions take {@code off}, {@code no}
 * and {@code 0} for true, or {@code on}, {@code yes} and {@code 1} for false.
 */
final class OnEnabled extends SpringBootCondition {

	private static final String PROPERTY = "ratelimit.enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean enabled = RateLimitProperties.beforeBinding(context.getEnvironment(), PROPERTY, Boolean.class, true);
		return new ConditionOutcome(enabled, PROPERTY + (enabled ? " is not false" : " is false"));
	}

}
