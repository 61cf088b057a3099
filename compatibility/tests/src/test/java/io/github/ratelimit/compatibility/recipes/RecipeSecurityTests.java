package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.compatibility.OnOuterLines;
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
@OnOuterLines
class RecipeSecurityTests {

	@Test
	void loginsBySpringSecurityAreLimited() {
		try (Server server = RecipeServer.start(Application.class, "")) {
			List<Integer> statuses = Stream.generate(() -> server.get("/none", "Authorization", "Basic YW5uOmd1ZXNz"))
				.limit(6)
				.map(HttpResponse::statusCode)
				.toList();
			assertThat(statuses).isEqualTo(List.of(401, 401, 401, 401, 401, 429));
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedLogin.class)
	static class Application {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("ann").password("{noop}right").roles("USER").build());
		}

	}

}
