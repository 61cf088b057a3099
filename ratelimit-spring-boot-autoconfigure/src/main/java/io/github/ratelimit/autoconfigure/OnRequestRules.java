package io.github.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that matches if there are rules for requests.
 */
final class OnRequestRules extends SpringBootCondition {

	private static final String REQUESTS = "ratelimit.web.requests";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean any = Binder.get(context.getEnvironment())
			.bind(REQUESTS, Bindable.listOf(RateLimitProperties.Request.class))
			.map((requests) -> !requests.isEmpty())
			.orElse(false);
		return new ConditionOutcome(any, REQUESTS + (any ? " has entries" : " has no entries"));
	}

}
