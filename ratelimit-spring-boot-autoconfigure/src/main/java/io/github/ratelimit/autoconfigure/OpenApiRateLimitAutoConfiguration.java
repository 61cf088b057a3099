package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;

import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.openapi.RateLimitOpenApiCustomizer;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.swagger.v3.oas.models.OpenAPI;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * {@link AutoConfiguration Auto-configuration} for the limits of operations in the
 * OpenAPI documents of springdoc.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
		ReactiveRateLimitAutoConfiguration.class })
@ConditionalOnBean({ RateLimitProperties.class, LimitHeaders.class, ExceptionHandlers.class })
@Conditional(OnEnabled.class)
@ConditionalOnProperty(name = "springdoc.api-docs.enabled", matchIfMissing = true)
@ConditionalOnWebApplication
@ConditionalOnClass({ GlobalOpenApiCustomizer.class, OpenAPI.class })
public final class OpenApiRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitOpenApiCustomizer rateLimitOpenApiCustomizer(LimitedMethodSource methods,
			ObjectProvider<RequestRuleMatcher> requests, LimitHeaders headers, StoreFailurePolicy failurePolicy,
			ExceptionHandlers exceptionHandlers, Environment environment) {
		// documents have it in the URL of the server, requests in their path
		String servletPath = StringUtils.trimTrailingCharacter(environment.getProperty("spring.mvc.servlet.path", ""),
				'/');
		return new RateLimitOpenApiCustomizer(methods,
				() -> requests.stream().map(RequestRuleMatcher::all).findFirst().orElse(List.of()), servletPath,
				headers, failurePolicy, exceptionHandlers,
				() -> !Objects.equals(environment.getProperty("local.management.port"),
						environment.getProperty("local.server.port")));
	}

}
