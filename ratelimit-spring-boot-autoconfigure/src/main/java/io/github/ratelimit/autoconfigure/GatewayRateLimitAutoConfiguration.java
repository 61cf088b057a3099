package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory;
import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory.Config;
import io.github.ratelimit.gateway.RouteLimits;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.reactive.ExchangeLimiter;
import io.github.ratelimit.web.reactive.FailureDispatch;
import io.github.ratelimit.web.reactive.ResponseEndDecorator;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;

/**
 * {@link AutoConfiguration Auto-configuration} for the filter {@code RateLimit} of Spring
 * Cloud Gateway on WebFlux. If rate limiting is disabled, the filter exists and limits
 * nothing, so that routes remain valid.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReactiveRateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass({ DispatcherHandler.class, AbstractGatewayFilterFactory.class })
@RegisterReflectionForBinding(RateLimitGatewayFilterFactory.Config.class)
public final class GatewayRateLimitAutoConfiguration {

	/**
	 * Create the limits. Beans are looked up late, because the web server needs the
	 * routes before other beans.
	 */
	@Bean
	@Conditional(OnEnabled.class)
	@ConditionalOnMissingBean
	RouteLimits rateLimitRouteLimits(ConfigurableListableBeanFactory beans) {
		ConfiguredRouteLimits limits = new ConfiguredRouteLimits(beans, ReactiveRateLimitAutoConfiguration.class);
		return new RouteLimits((arguments) -> limits.operation(arguments.getRouteId(), arguments),
				() -> new ExchangeLimiter(() -> beans.getBean(CallLimiter.class), beans.getBean(WebRequests.class),
						beans.getBean(FailureDispatch.class)));
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitGatewayFilterFactory rateLimitGatewayFilterFactory(ObjectProvider<RouteLimits> limits) {
		RouteLimits enabled = limits.getIfAvailable();
		return new RateLimitGatewayFilterFactory(
				(enabled != null) ? enabled::filter : (arguments) -> (exchange, chain) -> chain.filter(exchange));
	}

	/**
	 * Verify the filters after the rules of annotations, which they may name: those of
	 * programs, and those in properties, which Gateway itself reads only when the server
	 * is already running. Routes from other sources are verified when Gateway reads them.
	 */
	@Bean
	@Conditional(OnEnabled.class)
	SmartInitializingSingleton rateLimitRouteLimitsStart(RateLimitProperties settings, RouteLimits limits,
			RateLimitGatewayFilterFactory factory, ObjectProvider<GatewayProperties> properties,
			ObjectProvider<ConfigurationService> binder, Environment environment) {
		return () -> {
			Mistakes mistakes = new Mistakes(settings.verification());
			limits.start(mistakes::attempt);
			binder.ifAvailable((arguments) -> properties.ifAvailable((all) -> {
				ConfiguredRouteLimits.verifyShortcuts(environment, mistakes);
				verify("default-filters", all.getDefaultFilters(), factory, arguments, mistakes);
				all.getRoutes()
					.forEach((route) -> verify(String.valueOf(route.getId()), route.getFilters(), factory, arguments,
							mistakes));
			}));
			mistakes.refuse();
		};
	}

	private static void verify(String route, List<FilterDefinition> filters, RateLimitGatewayFilterFactory factory,
			ConfigurationService binder, Mistakes mistakes) {
		filters.stream()
			.filter((filter) -> RateLimitGatewayFilterFactory.NAME.equals(filter.getName()))
			.forEach((filter) -> mistakes.attempt(() -> {
				Config arguments = binder.with(factory)
					.name(RateLimitGatewayFilterFactory.NAME)
					.properties(filter.getArgs())
					.bind();
				arguments.setRouteId(route);
				factory.apply(arguments);
			}));
	}

	@Bean
	@Conditional(OnEnabled.class)
	@ConditionalOnMissingBean(name = "rateLimitRouteEndDecorator")
	ResponseEndDecorator rateLimitRouteEndDecorator(RouteLimits limits) {
		return new ResponseEndDecorator(limits::areUsed);
	}

}
