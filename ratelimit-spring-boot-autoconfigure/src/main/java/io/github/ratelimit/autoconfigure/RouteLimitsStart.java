package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;
import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory;
import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory.Config;
import io.github.ratelimit.gateway.RouteLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.support.ConfigurationService;

/**
 * Verification of the filters of routes at startup: those of programs, and those in
 * properties, which Gateway itself reads only when the server is already running. Routes
 * from other sources are verified when Gateway reads them.
 *
 * @param limits the limits of routes
 * @param factory creates the filters
 */
record RouteLimitsStart(RouteLimits limits, RateLimitGatewayFilterFactory factory) {

	/**
	 * Name of the place in properties whose filters apply to all routes.
	 */
	private static final String ALL_ROUTES = "default-filters";

	/**
	 * Verify the filters.
	 * @param properties the routes in properties, if Gateway is enabled
	 * @param binder binds the arguments of filters, if Gateway is enabled
	 * @throws io.github.ratelimit.RateLimitConfigurationException if filters are invalid
	 */
	void verify(@Nullable GatewayProperties properties, @Nullable ConfigurationService binder) {
		Mistakes mistakes = new Mistakes(Verification.FAIL);
		this.limits.start(mistakes::attempt);
		if (properties != null && binder != null) {
			verify(ALL_ROUTES, properties.getDefaultFilters(), binder, mistakes);
			properties.getRoutes()
				.forEach((route) -> verify(String.valueOf(route.getId()), route.getFilters(), binder, mistakes));
		}
		mistakes.refuse();
	}

	private void verify(String route, List<FilterDefinition> filters, ConfigurationService binder, Mistakes mistakes) {
		for (FilterDefinition filter : filters) {
			if (RateLimitGatewayFilterFactory.NAME.equals(filter.getName())) {
				mistakes.attempt(() -> {
					Config arguments = binder.with(this.factory)
						.name(RateLimitGatewayFilterFactory.NAME)
						.properties(filter.getArgs())
						.bind();
					arguments.setRouteId(route);
					this.factory.apply(arguments);
				});
			}
		}
	}

}
