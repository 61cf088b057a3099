package io.github.ratelimit.autoconfigure;

import java.util.Objects;

import graphql.schema.DataFetchingEnvironment;
import io.github.ratelimit.graphql.FetcherContexts;
import io.github.ratelimit.graphql.RateLimitErrorAdvice;
import io.github.ratelimit.graphql.RateLimitErrors;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.RateLimitProblemCustomizer;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.reactive.CallContextBinding;
import io.github.ratelimit.web.servlet.ServletCallContextSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.context.WebApplicationContext;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limiting in Spring for GraphQL.
 * Its source of requests replaces that of Spring MVC or WebFlux, to which it adds data
 * fetchers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.graphql.GraphQlAutoConfiguration",
				"org.springframework.boot.graphql.autoconfigure.GraphQlAutoConfiguration" },
		before = { ServletRateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class })
@Conditional(OnEnabled.class)
@ConditionalOnClass({ DataFetchingEnvironment.class, GraphQlSource.class, ControllerAdvice.class })
@ConditionalOnBean({ RateLimitProperties.class, GraphQlSource.class })
@Import({ RateLimitErrorAdvice.Exceeded.class, RateLimitErrorAdvice.Unavailable.class,
		RateLimitErrorAdvice.Missing.class })
public final class GraphQlRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitErrors rateLimitGraphQlErrors(ObjectProvider<ProblemFactory> problems,
			ObjectProvider<RateLimitProblemCustomizer> customizers, RateLimitProperties properties,
			ApplicationContext context) {
		return new RateLimitErrors(
				() -> problems.getIfAvailable(() -> new ProblemFactory(customizers.orderedStream().toList(),
						AdviceConfiguration.headers(properties))),
				context);
	}

	@Bean
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
	@ConditionalOnMissingBean(CallContextSource.class)
	FetcherContexts rateLimitServletFetcherContexts(ObjectProvider<WebRequests> requests,
			RateLimitProperties properties, LocalClock clock, WebApplicationContext context) {
		WebRequests settings = settings(requests, properties, clock, context.getEnvironment());
		return new FetcherContexts(new ServletCallContextSource(settings), settings,
				Objects.requireNonNull(context.getServletContext()).getContextPath());
	}

	@Bean
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnMissingBean(CallContextSource.class)
	FetcherContexts rateLimitReactiveFetcherContexts(ObjectProvider<WebRequests> requests,
			RateLimitProperties properties, LocalClock clock, Environment environment) {
		return new FetcherContexts(new CallContextBinding(), settings(requests, properties, clock, environment),
				environment.getProperty("spring.webflux.base-path", ""));
	}

	/**
	 * Return the settings of Spring MVC or WebFlux, whose auto-configuration may be
	 * excluded.
	 */
	private static WebRequests settings(ObjectProvider<WebRequests> requests, RateLimitProperties properties,
			LocalClock clock, Environment environment) {
		return requests.getIfAvailable(() -> AdviceConfiguration.requests(properties,
				AdviceConfiguration.headers(properties), clock, environment));
	}

}
