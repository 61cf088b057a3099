package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.client.HostPattern;
import io.github.ratelimit.client.OutgoingRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.OutgoingOperation;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the rules for outgoing requests written as properties.
 */
final class ConfiguredOutgoingRules {

	private final RegisteredRules registeredRules;

	private final ExpressionBeans beans;

	ConfiguredOutgoingRules(RuleRegistry registry, ExpressionBeans beans) {
		this.registeredRules = new RegisteredRules(registry);
		this.beans = beans;
	}

	List<OutgoingRule> of(List<RateLimitProperties.Outgoing> requests) {
		return Mistakes.read("ratelimit.client.requests", requests, this::rule);
	}

	private OutgoingRule rule(String location, RateLimitProperties.Outgoing request) {
		RuleLimiter limiter = this.registeredRules.limiter(location, request.rule());
		return new OutgoingRule(host(location, request.host()),
				OutgoingOperation.of(limiter, location, request.key(), this.beans), request.obey());
	}

	private static HostPattern host(String location, @Nullable String host) {
		try {
			return HostPattern.of(host);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(location + ".host");
		}
	}

}
