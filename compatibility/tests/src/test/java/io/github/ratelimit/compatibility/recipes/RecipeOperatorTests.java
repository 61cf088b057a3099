package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.compatibility.OnOuterLines;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;

@OnOuterLines
@Tag("security")
class RecipeOperatorTests {

	private static final String KEY = "/actuator/ratelimits/reply/laoqian";

	private static final UserDetails USER = User.withUsername("ann").password("{noop}right").roles("USER").build();

	private static final UserDetails OPERATOR = User.withUsername("ops")
		.password("{noop}right")
		.roles("OPERATOR")
		.build();

	@Test
	void onlyOperatorsChangeRulesAndNeedNoCsrfToken() {
		checkAccess(WebApplicationType.SERVLET, OnServlet.class);
	}

	@Test
	void onlyOperatorsChangeRulesAndNeedNoCsrfTokenInWebFlux() {
		checkAccess(WebApplicationType.REACTIVE, OnWebFlux.class);
	}

	private static void checkAccess(WebApplicationType type, Class<?> application) {
		try (Server server = Server.start(type, application, "ratelimit.store=local",
				"management.endpoints.web.exposure.include=ratelimits")) {
			assertThat(server.delete(KEY, "Accept", "*/*").statusCode()).isEqualTo(401);
			assertThat(server.delete(KEY, "Authorization", "Basic YW5uOnJpZ2h0").statusCode()).isEqualTo(403);
			assertThat(server.delete(KEY, "Authorization", "Basic b3BzOnJpZ2h0").statusCode()).isEqualTo(200);
			assertThat(server.get("/none", "Accept", "*/*").statusCode()).isEqualTo(404);
			assertThat(server.delete("/none", "Accept", "*/*").statusCode()).as("CSRF").isIn(401, 403);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ OperatorSecurity.class, ReplyController.class })
	static class OnServlet {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(USER, OPERATOR);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ OperatorWebFluxSecurity.class, ReplyController.class })
	static class OnWebFlux {

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(USER, OPERATOR);
		}

	}

}
