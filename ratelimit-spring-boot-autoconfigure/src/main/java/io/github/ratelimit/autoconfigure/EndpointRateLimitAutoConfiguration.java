package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.actuate.endpoint.RateLimitsEndpoint;
import io.github.ratelimit.actuate.endpoint.StrictArguments;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.RequestExplainer;
import io.github.ratelimit.web.reactive.BodyWebFilter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * {@link AutoConfiguration Auto-configuration} for the endpoint {@code ratelimits}, which
 * exists over HTTP if {@code management.endpoints.web.exposure.include} names it.
 * {@code management.endpoint.ratelimits.access=read-only} refuses changes.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@ConditionalOnClass(name = { "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
		"org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint" })
@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
public final class EndpointRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitsEndpoint rateLimitsEndpoint(RuleRegistry registry, RateLimitEngine engine, RateLimitStore store,
			RuleOverrideRegistry overrides, KeyOverrideRegistry keyOverrides, StoreFailurePolicy failurePolicy,
			RateLimitProperties properties, LimitedMethodSource methods, LocalClock clock,
			ObjectProvider<LimitHeaders> headers, ObjectProvider<RequestExplainer> explainer) {
		return new RateLimitsEndpoint(registry, engine, store, overrides, keyOverrides, failurePolicy,
				new RuleExpressions(methods, properties, headers.getIfAvailable()), clock.timeOfDay(),
				explainer::getIfAvailable);
	}

	@Bean
	static StrictArguments rateLimitsStrictArguments() {
		return new StrictArguments();
	}

	/** Return the path of the endpoint as Spring Boot maps it. */
	private static String path(Environment environment) {
		String id = "ratelimits";
		String mapped = environment.getProperty("management.endpoints.web.path-mapping." + id);
		return '/' + (StringUtils.hasText(mapped)
				? StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(mapped, '/'), '/') : id);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(RequestBodyAdviceAdapter.class)
	static class Servlet {

		@Bean
		static ServletRequestDescription rateLimitsRequestDescription(Environment environment) {
			return new ServletRequestDescription(path(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class Reactive {

		@Bean
		static BodyWebFilter rateLimitsRequestDescription(Environment environment, ApplicationContext context) {
			String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
			boolean hasOwnServer = ManagementPortType.get(environment) == ManagementPortType.DIFFERENT;
			return new BodyWebFilter(StringUtils.trimTrailingCharacter(base, '/') + path(environment),
					(exchange) -> !hasOwnServer || exchange.getApplicationContext() != context,
					RequestDescriptionBody::texts, RequestDescriptionBody.LARGEST, RequestDescriptionBody.NO_OBJECT);
		}

	}

}
