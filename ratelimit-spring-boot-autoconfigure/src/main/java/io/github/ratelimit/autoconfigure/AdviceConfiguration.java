package io.github.ratelimit.autoconfigure;

import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.ForwardedHeaderWarning;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.RateLimitAdvice;
import io.github.ratelimit.web.RateLimitProblemCustomizer;
import io.github.ratelimit.web.WebRequests;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configuration of the responses to denied calls, for Spring MVC and WebFlux. */
@Configuration(proxyBeanMethods = false)
class AdviceConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LimitHeaders rateLimitHeaders(RateLimitProperties properties) {
		return headers(properties);
	}

	static LimitHeaders headers(RateLimitProperties properties) {
		LimitHeaders headers = new LimitHeaders(properties.web().headers());
		headers.configure(RuleProperties.headers(properties.rules()), Set.of());
		return headers;
	}

	@Bean
	@ConditionalOnMissingBean
	WebRequests rateLimitWebRequests(RateLimitProperties properties, LimitHeaders headers, LocalClock clock,
			Environment environment) {
		return requests(properties, headers, clock, environment);
	}

	static WebRequests requests(RateLimitProperties properties, LimitHeaders headers, LocalClock clock,
			Environment environment) {
		return new WebRequests(headers, properties.web().ipv6Prefix(), clock.timeOfDay(),
				new ForwardedHeaderWarning(isForwardingDecided(environment)));
	}

	private static boolean isForwardingDecided(Environment environment) {
		CloudPlatform platform = CloudPlatform.getActive(environment);
		return (platform != null && platform.isUsingForwardHeaders())
				|| Stream.of("server.forward-headers-strategy", "server.tomcat.remoteip.remote-ip-header")
					.anyMatch(environment::containsProperty);
	}

	@Bean
	@ConditionalOnMissingBean
	ProblemFactory rateLimitProblems(ObjectProvider<RateLimitProblemCustomizer> customizers, LimitHeaders headers) {
		return new ProblemFactory(customizers.orderedStream().toList(), headers);
	}

	@Bean
	@ConditionalOnMissingBean
	ExceptionHandlers rateLimitExceptionHandlers(ApplicationContext context) {
		return new ExceptionHandlers(context);
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitAdvice rateLimitAdvice(ProblemFactory problems, CallContextSource contexts) {
		return new RateLimitAdvice(problems, contexts);
	}

}
