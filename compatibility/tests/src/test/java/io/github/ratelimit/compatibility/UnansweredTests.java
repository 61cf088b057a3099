package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Denials outside of handlers: of limited methods called by filters, and of results
 * written by functional endpoints.
 */
@OnOuterLines
class UnansweredTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@CsvSource({ "SERVLET, /thrown", "SERVLET, /wrapped", "SERVLET, /joined", "SERVLET, /written",
			"SERVLET, /dispatched", "REACTIVE, /thrown", "REACTIVE, /mono", "REACTIVE, /joined",
			"REACTIVE, /functional/body", "REACTIVE, /functional/bodies", "REACTIVE, /functional/handler" })
	void denialIsAnsweredWith429(WebApplicationType type, String path) {
		Server server = server(type, FilteringApplication.class);
		HttpResponse<String> first = server.post(path);
		assertThat(first.statusCode()).isEqualTo(path.startsWith("/functional") ? 200 : 404);
		HttpResponse<String> denied = server.post(path);
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(denied.headers().firstValue("Retry-After")).isPresent();
		assertThat(denied.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
		assertThat(Json.of(denied.body()).text("violated-policies")).isEqualTo("[\"limited\"]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/functional/body", "/functional/bodies", "/functional/handler" })
	void catchAllDoesNotAnswerDenialsOfFunctionalEndpoints(String path) {
		Server server = server(WebApplicationType.REACTIVE, CatchingApplication.class);
		assertThat(server.post(path).statusCode()).isEqualTo(200);
		assertThat(server.post(path).statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void responseThatIsCommittedIsLeftAlone(WebApplicationType type) {
		Server server = server(type, FilteringApplication.class);
		server.raw("POST", "/thrown");
		assertThat(server.raw("POST", "/committed")).startsWith("HTTP/1.1 200").doesNotContain("violated-policies");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/downloaded", "/streamed" })
	void responseThatAHandlerHasBegunIsCutOff(String path) {
		Server server = server(WebApplicationType.SERVLET, FilteringApplication.class);
		assertThat(server.raw("POST", path)).contains("row").endsWith("\r\n0\r\n\r\n");
		assertThat(server.raw("POST", path)).startsWith("HTTP/1.1 200")
			.contains("row")
			.doesNotContain("violated-policies")
			.doesNotEndWith("\r\n0\r\n\r\n");
	}

	private static Server server(WebApplicationType type, Class<?> application) {
		return SERVERS.get(type, application, "ratelimit.store=local").reset("");
	}

	@Import({ Limited.class, Downloads.class, OnServlet.class, OnWebFlux.class })
	static class FilteringApplication {

	}

	@Import({ FilteringApplication.class, CatchAll.class })
	static class CatchingApplication {

	}

	@RestControllerAdvice
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void handle() {
		}

	}

	static class Limited {

		@RateLimited(name = "limited", max = 1, period = 3600)
		public void call() {
		}

		@RateLimited(name = "limited", max = 1, period = 3600)
		public Mono<String> callLater() {
			return Mono.just("called");
		}

		@RateLimited(name = "limited", max = 1, period = 3600)
		public Flux<String> callMore() {
			return Flux.just("called", "again");
		}

	}

	@RestController
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class Downloads {

		private final Limited limited;

		Downloads(Limited limited) {
			this.limited = limited;
		}

		@PostMapping("/downloaded")
		void downloaded(OutputStream response) throws IOException {
			writeAndCall(response);
		}

		@PostMapping("/streamed")
		StreamingResponseBody streamed() {
			return this::writeAndCall;
		}

		private void writeAndCall(OutputStream response) throws IOException {
			response.write("row".repeat(100_000).getBytes());
			this.limited.call();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class OnServlet {

		@Bean
		Filter limitingFilter(Limited limited) {
			return (request, response, chain) -> {
				String path = ((HttpServletRequest) request).getRequestURI();
				if (path.equals("/dispatched")) {
					request.startAsync().dispatch();
					return;
				}
				if (List.of("/thrown", "/wrapped", "/joined", "/written", "/committed").contains(path)) {
					if (path.equals("/committed")) {
						response.flushBuffer();
					}
					if (path.equals("/written")) {
						response.getWriter().print("begun");
					}
					try {
						limited.call();
					}
					catch (RateLimitException ex) {
						if (path.equals("/wrapped")) {
							throw new ServletException(ex);
						}
						throw path.equals("/joined") ? new CompletionException(ex) : ex;
					}
				}
				chain.doFilter(request, response);
			};
		}

		@Bean
		FilterRegistrationBean<Filter> limitingFilterOfDispatches(Limited limited) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				if (((HttpServletRequest) request).getRequestURI().equals("/dispatched")) {
					limited.call();
				}
				chain.doFilter(request, response);
			});
			registration.setDispatcherTypes(DispatcherType.ASYNC);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class OnWebFlux {

		@Bean
		WebFilter limitingFilter(Limited limited) {
			return (exchange, chain) -> switch (exchange.getRequest().getPath().value()) {
				case "/thrown" -> {
					limited.call();
					yield chain.filter(exchange);
				}
				case "/mono" -> limited.callLater().then(chain.filter(exchange));
				case "/joined" -> limited.callLater().onErrorMap(CompletionException::new).then(chain.filter(exchange));
				case "/committed" -> exchange.getResponse()
					.writeWith(Mono.just(exchange.getResponse().bufferFactory().wrap("begun".getBytes())))
					.then(limited.callLater())
					.then();
				default -> chain.filter(exchange);
			};
		}

		@Bean
		RouterFunction<ServerResponse> functional(Limited limited) {
			return RouterFunctions.route()
				.POST("/functional/body", (request) -> ServerResponse.ok().body(limited.callLater(), String.class))
				.POST("/functional/bodies", (request) -> ServerResponse.ok().body(limited.callMore(), String.class))
				.POST("/functional/handler",
						(request) -> limited.callLater().flatMap((text) -> ServerResponse.ok().bodyValue(text)))
				.build();
		}

	}

}
