package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("security")
class RecipeOperatorTests {

	private static final String KEY = "/actuator/ratelimits/reply/laoqian";

	@Test
	void onlyOperatorsChangeRulesAndNeedNoCsrfToken() {
		try (Server server = RecipeServer.start(Application.class, "",
				"management.endpoints.web.exposure.include=ratelimits")) {
			assertThat(server.delete(KEY, "Accept", "*/*").statusCode()).isEqualTo(401);
			assertThat(server.delete(KEY, "Authorization", "Basic YW5uOnJpZ2h0").statusCode()).isEqualTo(403);
			assertThat(server.delete(KEY, "Authorization", "Basic b3BzOnJpZ2h0").statusCode()).isEqualTo(200);
			assertThat(server.get("/none", "Accept", "*/*").statusCode()).isEqualTo(404);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ OperatorSecurity.class, ReplyController.class })
	static class Application {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("ann").password("{noop}right").roles("USER").build(),
					User.withUsername("ops").password("{noop}right").roles("OPERATOR").build());
		}

	}

}
