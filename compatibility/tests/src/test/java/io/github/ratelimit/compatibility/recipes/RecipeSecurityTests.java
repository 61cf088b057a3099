package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.compatibility.OnOuterLines;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.FormLoginConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("security")
@ExtendWith(OutputCaptureExtension.class)
@OnOuterLines
class RecipeSecurityTests {

	private static final String RIGHT = "/login?username=ann&password=right";

	private static final String WRONG = "/login?username=ann&password=guess";

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

	@Test
	void theRecipeStartsWithoutAWarning(CapturedOutput output) {
		try (Server server = RecipeServer.start(Application.class, "login-security.yml")) {
			assertThat(server.get("/none", "Authorization", "Basic YW5uOmd1ZXNz").statusCode()).isEqualTo(401);
			assertThat(output).doesNotContain("UserDetailsService beans will not be used");
		}
	}

	@Test
	void formLoginsAreLimitedByTheProvider() {
		try (Server server = RecipeServer.start(LimitedForm.class, "")) {
			assertThat(server.statuses(6, WRONG)).isEqualTo(List.of(302, 302, 302, 302, 302, 429));
			assertThat(server.post("/login?username=bob&password=guess").statusCode()).isEqualTo(302);
		}
	}

	@Test
	void successfulFormLoginsTakeNothing() {
		try (Server server = RecipeServer.start(LimitedForm.class, "")) {
			assertThat(server.statuses(6, RIGHT)).containsOnly(302);
			assertThat(server.statuses(6, WRONG)).isEqualTo(List.of(302, 302, 302, 302, 302, 429));
		}
	}

	@Test
	void failedFormLoginsAreRedirectedSoThatTheirStatusCountsNothing() {
		try (Server server = RecipeServer.start(RedirectingForm.class, "login-form.yml")) {
			assertThat(server.post(WRONG).headers().firstValue("Location"))
				.hasValueSatisfying((location) -> assertThat(location).endsWith("/login?error"));
			assertThat(server.statuses(10, WRONG)).containsOnly(302);
		}
	}

	@Test
	void failedFormLoginsWithA401AreCountedByTheirStatus() {
		try (Server server = RecipeServer.start(RefusingForm.class, "login-form.yml")) {
			assertThat(server.statuses(6, RIGHT)).containsOnly(302);
			assertThat(server.statuses(6, WRONG)).isEqualTo(List.of(401, 401, 401, 401, 401, 429));
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedLogin.class)
	static class LimitedForm extends Users {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return form(http, Customizer.withDefaults());
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class RedirectingForm extends Users {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return form(http, Customizer.withDefaults());
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class RefusingForm extends Users {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return form(http, (form) -> form
				.failureHandler((request, response, failure) -> response.setStatus(HttpStatus.UNAUTHORIZED.value())));
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedLogin.class)
	static class Application extends Users {

	}

	static class Users {

		static SecurityFilterChain form(HttpSecurity http, Customizer<FormLoginConfigurer<HttpSecurity>> form)
				throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.csrf((csrf) -> csrf.disable())
				.formLogin(form)
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("ann").password("{noop}right").roles("USER").build());
		}

	}

}
