package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory;
import io.github.ratelimit.gateway.RouteLimits;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.reactive.ExchangeLimiter;
import io.github.ratelimit.web.reactive.FailureDispatch;
import io.github.ratelimit.web.reactive.ResponseEndDecorator;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;

/**
 * {@link AutoConfiguration Auto-configuration} for the filter {@code RateLimit} of Spring
 * Cloud Gateway on WebFlux. If rate limiting is disabled, the filter exists and limits
 * nothing, so that routes remain valid.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReactiveRateLimitAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass({ DispatcherHandler.class, AbstractGatewayFilterFactory.class })
@RegisterReflectionForBinding(RateLimitGatewayFilterFactory.Config.class)
public final class GatewayRateLimitAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
	static class Enabled {

		/**
		 * Create the limits. Beans are looked up late, because the web server needs the
		 * routes before other beans.
		 */
		@Bean
		@ConditionalOnMissingBean
		RouteLimits rateLimitRouteLimits(ConfigurableListableBeanFactory beans) {
			return new RouteLimits(
					(arguments) -> new ConfiguredRouteLimits(beans.getBean(RuleRegistry.class),
							new ExpressionBeans(beans))
						.operation(arguments.getRouteId(), arguments),
					() -> new ExchangeLimiter(() -> beans.getBean(CallLimiter.class), beans.getBean(WebRequests.class),
							beans.getBean(FailureDispatch.class)));
		}

		@Bean
		@ConditionalOnMissingBean
		RateLimitGatewayFilterFactory rateLimitGatewayFilterFactory(RouteLimits limits) {
			return new RateLimitGatewayFilterFactory(limits::filter);
		}

		/**
		 * Verify the filters after the rules of annotations, which they may name.
		 */
		@Bean
		SmartInitializingSingleton rateLimitRouteLimitsStart(RouteLimits limits, RateLimitGatewayFilterFactory factory,
				ObjectProvider<GatewayProperties> properties, ObjectProvider<ConfigurationService> binder) {
			return () -> new RouteLimitsStart(limits, factory).verify(properties.getIfAvailable(),
					binder.getIfAvailable());
		}

		@Bean
		@ConditionalOnMissingBean(name = "rateLimitRouteEndDecorator")
		ResponseEndDecorator rateLimitRouteEndDecorator(RouteLimits limits) {
			return new ResponseEndDecorator(limits::areUsed);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "ratelimit.enabled", havingValue = "false")
	static class Disabled {

		@Bean
		@ConditionalOnMissingBean
		RateLimitGatewayFilterFactory rateLimitGatewayFilterFactory() {
			return new RateLimitGatewayFilterFactory((arguments) -> (exchange, chain) -> chain.filter(exchange));
		}

	}

}
