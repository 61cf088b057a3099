package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.autoconfigure.OnOutgoingRules.OnRequestRules;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.PatternVariables;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.RequestExplainer;
import io.github.ratelimit.web.RequestRule;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Configuration of the rules for requests, for Spring MVC and WebFlux. They are verified
 * after the annotations, whose rules they may name.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnRequestRules.class)
class RequestRulesConfiguration {

	/** URL with a scheme, or a path with a query. As patterns they match no request. */
	private static final Pattern URL = Pattern
		.compile("(?=\\w+://|.*\\?[\\w.-]+=)(\\w+://[^/?#]*)?([^?#]*)(?:\\?([\\w.-]+)=.*|[?#].*)?");

	@Bean
	@ConditionalOnMissingBean
	RequestRuleMatcher rateLimitRequestRules(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
		return new RequestRuleMatcher(() -> rules(properties, beans), () -> beans.getBean(CallLimiter.class));
	}

	private static List<RequestRule> rules(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
		RegisteredRules registered = new RegisteredRules(beans);
		ExpressionBeans ofExpressions = new ExpressionBeans(beans);
		return Mistakes.read(properties.verification(), "ratelimit.web.requests", properties.web().requests(),
				(location, request) -> {
					RuleLimiter limiter = registered.limiter(location, request.rule());
					PathPattern path = path(request.path());
					RateLimitOperation operation = RateLimitOperation.ofRequests(limiter, location, request.key(), null,
							request.unless(), new PatternVariables(path), ofExpressions);
					registered.warnOfOneCounter(operation, "the key of a request, `key: ip`");
					return new RequestRule(path,
							request.methods().stream().map(Enum::name).collect(Collectors.toUnmodifiableSet()),
							operation);
				});
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	RequestExplainer rateLimitRequestExplainer(RequestRuleMatcher rules, WebRequests settings,
			ProblemFactory problems) {
		return new RequestExplainer(rules, settings, problems);
	}

	@Bean
	SmartInitializingSingleton rateLimitRequestRulesStart(RequestRuleMatcher rules) {
		return rules::all;
	}

	private static PathPattern path(@Nullable String path) {
		if (path == null || path.isBlank()) {
			throw new InvalidAttributeException("path", path, "it selects the requests to limit.",
					"Write /** for all, or /api/** for example.");
		}
		Matcher url = URL.matcher(path);
		if (url.matches()) {
			String alone = url.group(2).isEmpty() ? "/**" : url.group(2);
			throw new InvalidAttributeException("path", '"' + path + '"',
					(url.group(1) != null) ? "it is a URL, but a rule compares the path alone."
							: "it has a query, but a rule compares the path alone.",
					"Write `path: " + alone + "`" + ((url.group(3) != null)
							? ", and to count by a parameter `key: param('" + url.group(3) + "')`." : "."));
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
