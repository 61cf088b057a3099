package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.RequestExplainer;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Configuration of the rules for requests, for Spring MVC and WebFlux. They are verified
 * after the annotations, whose rules they may name.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnRequestRules.class)
class RequestRulesConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RequestRuleMatcher rateLimitRequestRules(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
		return new RequestRuleMatcher(
				() -> new ConfiguredRequestRules(new RegisteredRules(beans), new ExpressionBeans(beans)).of(properties),
				() -> beans.getBean(CallLimiter.class));
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
		return rules::verify;
	}

}
