package io.github.ratelimit.compatibility.recipes;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.security.web.server.util.matcher.AndServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.NegatedServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

/**
 * Operators behind Spring Security in WebFlux.
 */
@Configuration(proxyBeanMethods = false)
class OperatorWebFluxSecurity {

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http) {
		ServerWebExchangeMatcher endpoint = ServerWebExchangeMatchers.pathMatchers("/actuator/ratelimits/**");
		return http
			.authorizeExchange((requests) -> requests.matchers(endpoint).hasRole("OPERATOR").anyExchange().permitAll())
			.csrf((csrf) -> csrf.requireCsrfProtectionMatcher(new AndServerWebExchangeMatcher(
					CsrfWebFilter.DEFAULT_CSRF_MATCHER, new NegatedServerWebExchangeMatcher(endpoint))))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
