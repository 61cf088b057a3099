package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
public class GatewayRoutes {

	@Bean
	RouteLocator exports(RouteLocatorBuilder builder, RateLimitGatewayFilterFactory rateLimit,
			@Value("${catalog.url}") String catalog) {
		return builder.routes()
			.route("exports",
					(route) -> route.path("/exports/**")
						.filters((f) -> f.filter(
								rateLimit.apply("exports", (c) -> c.setRule("exports").setKey("header('X-Api-Key')"))))
						.uri(catalog))
			.build();
	}

}
