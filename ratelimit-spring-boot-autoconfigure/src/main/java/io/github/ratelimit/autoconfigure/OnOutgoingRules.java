package io.github.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that matches if there are rules for outgoing requests, or entries of another
 * list of the properties.
 */
class OnOutgoingRules extends SpringBootCondition {

	private final String property;

	private final Class<?> type;

	OnOutgoingRules() {
		this("ratelimit.client.requests", RateLimitProperties.Outgoing.class);
	}

	OnOutgoingRules(String property, Class<?> type) {
		this.property = property;
		this.type = type;
	}

	@Override
	public final ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean any = Binder.get(context.getEnvironment())
			.bind(this.property, Bindable.listOf(this.type))
			.map((entries) -> !entries.isEmpty())
			.orElse(false);
		return new ConditionOutcome(any, this.property + (any ? " has entries" : " has no entries"));
	}

	static final class OnRequestRules extends OnOutgoingRules {

		OnRequestRules() {
			super("ratelimit.web.requests", RateLimitProperties.Request.class);
		}

	}

}
