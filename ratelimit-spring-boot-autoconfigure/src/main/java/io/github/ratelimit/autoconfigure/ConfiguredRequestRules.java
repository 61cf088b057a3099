package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.PatternVariables;
import io.github.ratelimit.web.RequestRule;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Reader of the rules for requests written as properties.
 */
final class ConfiguredRequestRules {

	private final RegisteredRules registeredRules;

	private final ExpressionBeans beans;

	ConfiguredRequestRules(RegisteredRules registeredRules, ExpressionBeans beans) {
		this.registeredRules = registeredRules;
		this.beans = beans;
	}

	List<RequestRule> of(RateLimitProperties properties) {
		return Mistakes.read(properties.verification(), "ratelimit.web.requests", properties.web().requests(),
				this::rule);
	}

	private RequestRule rule(String location, RateLimitProperties.Request request) {
		Set<String> methods = request.methods().stream().map(Enum::name).collect(Collectors.toUnmodifiableSet());
		RuleLimiter limiter = this.registeredRules.limiter(location, request.rule());
		PathPattern path = path(request.path());
		RateLimitOperation operation = RateLimitOperation.ofRequests(limiter, location, request.key(), null,
				request.unless(), new PatternVariables(path), this.beans);
		this.registeredRules.warnOfOneCounter(operation, "the key of a request, `key: ip`");
		return new RequestRule(path, methods, operation);
	}

	private static PathPattern path(@Nullable String path) {
		if (path == null || path.isBlank()) {
			throw new InvalidAttributeException("path", path, "it selects the requests to limit.",
					"Write /** for all, or /api/** for example.");
		}
		try {
			PathPatternParser parser = new PathPatternParser();
			return parser.parse(parser.initFullPathPattern(path));
		}
		catch (PatternParseException ex) {
			throw new InvalidAttributeException("path", '"' + path + '"',
					"it is not a path pattern: " + ex.getMessage() + " (at position " + ex.getPosition() + ").",
					"Write * for one segment and ** at the end for any number: /api/*/replies or /api/** for example.");
		}
	}

}
