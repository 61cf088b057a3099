package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.gateway.mvc.RateLimitFilterFunctions;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

@Configuration(proxyBeanMethods = false)
public class MvcGatewayRoutes {

	@Bean
	RouterFunction<ServerResponse> exports(RateLimitFilterFunctions rateLimit,
			@Value("${catalog.url}") String catalog) {
		return route("exports").GET("/exports/**", http())
			.before(uri(catalog))
			.filter(rateLimit.apply("exports", (c) -> c.setRule("exports").setKey("header('X-Api-Key')")))
			.build();
	}

}
