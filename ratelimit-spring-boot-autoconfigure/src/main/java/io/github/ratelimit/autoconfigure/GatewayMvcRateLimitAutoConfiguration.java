package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.gateway.mvc.RateLimitFilterFunctions;
import io.github.ratelimit.gateway.mvc.RouteLimiter;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.servlet.ServletLimiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * {@link AutoConfiguration Auto-configuration} for the filter {@code RateLimit} of Spring
 * Cloud Gateway Server MVC. If rate limiting is disabled, the filter exists and limits
 * nothing, so that routes remain valid.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ServletRateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ DispatcherServlet.class, FilterSupplier.class })
public final class GatewayMvcRateLimitAutoConfiguration {

	/**
	 * Create the limiter. Beans are looked up late, because routes are created before the
	 * rules of annotations.
	 */
	@Bean
	@Conditional(OnEnabled.class)
	@ConditionalOnMissingBean
	RouteLimiter rateLimitRouteLimiter(ConfigurableListableBeanFactory beans) {
		ConfiguredRouteLimits limits = new ConfiguredRouteLimits(beans, ServletRateLimitAutoConfiguration.class);
		return new RouteLimiter(limits::operation,
				() -> new ServletLimiter(() -> beans.getBean(CallLimiter.class), beans.getBean(WebRequests.class)));
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitFilterFunctions rateLimitFilterFunctions(ObjectProvider<RouteLimiter> limiter) {
		RouteLimiter enabled = limiter.getIfAvailable();
		return new RateLimitFilterFunctions(
				(enabled != null) ? enabled::filter : (route, arguments) -> (request, next) -> next.handle(request));
	}

	/**
	 * Verify the filters after the rules of annotations, which they may name: those of
	 * programs, and those in properties.
	 */
	@Bean
	@Conditional(OnEnabled.class)
	SmartInitializingSingleton rateLimitRouteLimiterStart(RateLimitProperties settings, RouteLimiter limiter,
			ObjectProvider<GatewayMvcProperties> properties, Environment environment) {
		return () -> {
			Mistakes mistakes = new Mistakes(settings.verification());
			limiter.start(mistakes::attempt);
			properties.ifAvailable((all) -> {
				ConfiguredRouteLimits.verifyShortcuts(environment, mistakes);
				all.getRoutes().forEach((route) -> verify(limiter, route.getId(), route.getFilters(), mistakes));
				all.getRoutesMap()
					.forEach((id, route) -> verify(limiter, (route.getId() != null) ? route.getId() : id,
							route.getFilters(), mistakes));
			});
			mistakes.refuse();
		};
	}

	private static void verify(RouteLimiter limiter, String route, List<FilterProperties> written, Mistakes mistakes) {
		written.stream()
			.filter((filter) -> RateLimitFilterFunctions.NAME.equalsIgnoreCase(filter.getName()))
			.forEach((filter) -> mistakes.attempt(() -> limiter.verify(route, filter.getArgs())));
	}

}
