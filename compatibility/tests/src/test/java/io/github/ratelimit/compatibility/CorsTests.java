package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.Locale;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * CORS, configured in each possible way: denied responses have the same CORS headers as
 * admitted ones.
 */
@OnOuterLines
class CorsTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	private static final String[] ORIGIN = { "Origin: https://forum.example" };

	@ParameterizedTest
	@CsvSource({ "SERVLET, /annotated", "SERVLET, /global", "SERVLET, /filtered", "REACTIVE, /annotated",
			"REACTIVE, /global", "REACTIVE, /filtered" })
	void deniedAnswerCarriesTheHeadersOfTheAdmittedOne(WebApplicationType type, String path) {
		Server server = server(type, path + "/url", path + "/method");
		for (String rule : List.of("/url", "/method")) {
			List<String> admitted = cors(server.raw("POST", path + rule, ORIGIN), "200");
			assertThat(admitted)
				.anyMatch((header) -> header.equals("access-control-allow-origin: https://forum.example"));
			assertThat(cors(server.raw("POST", path + rule, ORIGIN), "429")).isEqualTo(admitted);
			assertThat(cors(server.raw("POST", path + rule, "Origin: https://evil.example"), "403")).isEmpty();
		}
		assertThat(cors(server.raw("POST", path + "/url"), "429")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void deniedAnswerHasNoHeadersIfTheAdmittedOneHasNone(WebApplicationType type) {
		Server server = server(type, "/global/url");
		assertThat(cors(server.raw("GET", "/global/url", ORIGIN), "405")).isEmpty();
		assertThat(cors(server.raw("GET", "/global/url", ORIGIN), "429")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void preflightIsNotCounted(WebApplicationType type) {
		List<String> paths = List.of("/annotated/url", "/global/url", "/filtered/url", "/nowhere/url");
		Server server = server(type, paths.toArray(String[]::new));
		for (String path : paths) {
			for (int i = 0; i < 3; i++) {
				assertThat(server.raw("OPTIONS", path, "Origin: https://forum.example",
						"Access-Control-Request-Method: POST"))
					.doesNotContain("429");
			}
		}
		assertThat(server.remaining("url", "/annotated/url")).isEqualTo(1);
		assertThat(server.raw("OPTIONS", "/annotated/url")).startsWith("HTTP/1.1 200");
		assertThat(server.raw("OPTIONS", "/annotated/url")).startsWith("HTTP/1.1 429");
	}

	private static List<String> cors(String answer, String status) {
		assertThat(answer).startsWith("HTTP/1.1 " + status);
		return answer.lines()
			.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith("access-control-"))
			.map((line) -> line.toLowerCase(Locale.ROOT))
			.sorted()
			.toList();
	}

	private static Server server(WebApplicationType type, String... unused) {
		return SERVERS
			.get(type, CorsApplication.class, "ratelimit.store=local", "ratelimit.rules.url.max=1",
					"ratelimit.rules.url.period=1h", "ratelimit.web.requests[0].path=/*/url",
					"ratelimit.web.requests[0].rule=url", "ratelimit.web.requests[0].key=path")
			.reset(unused);
	}

	private static CorsConfiguration configuration() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.addAllowedOrigin("https://forum.example");
		configuration.addAllowedMethod("POST");
		configuration.setAllowCredentials(true);
		configuration.addExposedHeader("Retry-After");
		return configuration;
	}

	@Import({ OnServlet.class, OnWebFlux.class, CorsController.class })
	static class CorsApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class OnServlet {

		@Bean
		CorsFilter corsFilter() {
			UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
			source.registerCorsConfiguration("/filtered/**", configuration());
			return new CorsFilter(source);
		}

		@Bean
		WebMvcConfigurer configurer() {
			return new WebMvcConfigurer() {

				@Override
				public void addCorsMappings(CorsRegistry registry) {
					registry.addMapping("/global/**")
						.allowedOrigins("https://forum.example")
						.exposedHeaders("Retry-After");
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class OnWebFlux {

		@Bean
		CorsWebFilter corsFilter() {
			var source = new org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource();
			source.registerCorsConfiguration("/filtered/**", configuration());
			return new CorsWebFilter(source);
		}

		@Bean
		WebFluxConfigurer configurer() {
			return new WebFluxConfigurer() {

				@Override
				public void addCorsMappings(org.springframework.web.reactive.config.CorsRegistry registry) {
					registry.addMapping("/global/**")
						.allowedOrigins("https://forum.example")
						.exposedHeaders("Retry-After");
				}

			};
		}

	}

	@RestController
	static class CorsController {

		@PostMapping({ "/global/url", "/filtered/url" })
		String byUrl() {
			return "";
		}

		@PostMapping("/annotated/url")
		@CrossOrigin(origins = "https://forum.example", exposedHeaders = "Retry-After")
		String annotatedByUrl() {
			return "";
		}

		@PostMapping({ "/global/method", "/filtered/method" })
		@RateLimited(name = "method", key = "path", max = 1, period = 3600)
		public String byMethod() {
			return "";
		}

		@PostMapping("/annotated/method")
		@CrossOrigin(origins = "https://forum.example", exposedHeaders = "Retry-After")
		@RateLimited(name = "annotated-method", max = 1, period = 3600)
		public String annotatedByMethod() {
			return "";
		}

	}

}
