package io.github.ratelimit.compatibility;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Application with Spring Security: the same on a servlet and on a WebFlux server.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ SecuredApplication.OnServlet.class, SecuredApplication.OnWebFlux.class,
		SecuredApplication.ArticleController.class, SecuredApplication.EditorService.class })
class SecuredApplication {

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password(name).roles(role).build();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@EnableWebSecurity
	@EnableMethodSecurity
	static class OnServlet {

		@Bean
		SecurityFilterChain securityFilterChain(HttpSecurity http) throws Exception {
			return http.csrf((csrf) -> csrf.disable())
				.httpBasic(Customizer.withDefaults())
				.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.POST, "/api/**")
					.hasRole("EDITOR")
					.requestMatchers(HttpMethod.POST, "/anybody")
					.permitAll()
					.anyRequest()
					.authenticated())
				.build();
		}

		@Bean
		PasswordEncoder passwords() {
			return new PlainPasswords();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(user("laoqian", "READER"), user("editor", "EDITOR"));
		}

		@Bean
		FilterService filterService() {
			return new FilterService();
		}

		@Bean
		Filter limitedFilter(FilterService service) {
			return (request, response, chain) -> {
				if (((HttpServletRequest) request).getRequestURI().equals("/filtered")) {
					service.call();
				}
				chain.doFilter(request, response);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@EnableWebFluxSecurity
	@EnableReactiveMethodSecurity
	static class OnWebFlux {

		@Bean
		SecurityWebFilterChain securityFilterChain(ServerHttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.httpBasic(Customizer.withDefaults())
				.anonymous(Customizer.withDefaults())
				.authorizeExchange((requests) -> requests.pathMatchers(HttpMethod.POST, "/api/**")
					.hasRole("EDITOR")
					.pathMatchers(HttpMethod.POST, "/anybody")
					.permitAll()
					.anyExchange()
					.authenticated())
				.build();
		}

		@Bean
		PasswordEncoder passwords() {
			return new PlainPasswords();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(user("laoqian", "READER"), user("editor", "EDITOR"));
		}

	}

	static class FilterService {

		@RateLimited(name = "filtered", key = "principal", max = 2, period = 60)
		public void call() {
		}

	}

	static class EditorService {

		@PreAuthorize("hasRole('EDITOR')")
		@RateLimited(name = "editors", key = "principal", max = 2, period = 60)
		public Mono<String> edit() {
			return Mono.just("edited");
		}

	}

	@RestController
	static class ArticleController {

		private final EditorService editors;

		ArticleController(EditorService editors) {
			this.editors = editors;
		}

		@PostMapping("/plain")
		@RateLimited(name = "plain", key = "principal", max = 2, period = 60)
		public String plain() {
			return "read";
		}

		@PostMapping("/body")
		@RateLimited(name = "body", key = "principal", max = 2, period = 60)
		public String body(@RequestBody String body) {
			return "read";
		}

		@PostMapping("/mono")
		@RateLimited(name = "mono", key = "principal", max = 2, period = 60)
		public Mono<String> mono() {
			return Mono.just("read");
		}

		@PostMapping("/flux")
		@RateLimited(name = "flux", key = "principal", max = 2, period = 60)
		public Flux<String> flux() {
			return Flux.just("read");
		}

		@PostMapping("/future")
		@RateLimited(name = "future", key = "principal", max = 2, period = 60)
		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("read");
		}

		@PostMapping("/anybody")
		@RateLimited(name = "anybody", key = "principal ?: ip", max = 2, period = 60)
		public String anybody() {
			return "read";
		}

		@PostMapping("/api/articles")
		@RateLimited(name = "articles", key = "principal", max = 2, period = 60)
		public String publish() {
			return "published";
		}

		@PostMapping("/filtered")
		public String filtered() {
			return "read";
		}

		@PostMapping("/editors")
		public Mono<String> edit() {
			return this.editors.edit();
		}

	}

}
