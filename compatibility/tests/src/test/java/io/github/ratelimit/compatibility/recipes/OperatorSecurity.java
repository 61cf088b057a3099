package io.github.ratelimit.compatibility.recipes;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Operators behind Spring Security.
 */
@Configuration(proxyBeanMethods = false)
class OperatorSecurity {

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers("/actuator/ratelimits/**")
				.hasRole("OPERATOR")
				.anyRequest()
				.permitAll())
			.csrf((csrf) -> csrf.ignoringRequestMatchers("/actuator/ratelimits/**"))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
