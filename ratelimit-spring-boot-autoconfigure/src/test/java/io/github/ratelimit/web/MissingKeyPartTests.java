package io.github.ratelimit.web;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.store.RateLimitStore;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.http.codec.CodecsAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.http.HttpStatus.I_AM_A_TEAPOT;
import static org.springframework.http.HttpStatus.INTERNAL_SERVER_ERROR;

/**
 * A request that lacks a part of its key is its client's mistake, in Spring MVC and in
 * WebFlux, by annotation and by URL.
 */
class MissingKeyPartTests {

	private final RecordingStore store = new RecordingStore();

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
						DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
						HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class))
		.withBean(RateLimitStore.class, () -> this.store)
		.withPropertyValues(urlRules());

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				ReactiveRateLimitAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
				WebFluxAutoConfiguration.class, CodecsAutoConfiguration.class, JacksonAutoConfiguration.class))
		.withBean(RateLimitStore.class, () -> this.store)
		.withPropertyValues(urlRules());

	private static String[] urlRules() {
		return new String[] { "ratelimit.rules.url.max=2", "ratelimit.rules.url.period=60",
				"ratelimit.web.requests[0].path=/url/**", "ratelimit.web.requests[0].rule=url",
				"ratelimit.web.requests[0].key=header('X-Api-Key')" };
	}

	@ParameterizedTest
	@CsvSource({ "/header, header X-Api-Key", "/header-part, header X-Api-Key", "/header-argument, header X-Api-Key",
			"/header-method, header X-Api-Key", "/substitute, principal", "/principal, principal",
			"/principal-argument, principal", "/parameter, parameter user", "/implicit, parameter userId",
			"/position, parameter user", "/object, form.user", "/cookie, cookie sid", "/future, header X-Api-Key",
			"/mono, header X-Api-Key", "/functional, header X-Api-Key", "/url/any, header X-Api-Key",
			"/url/functional, header X-Api-Key" })
	void answerNamesWhatTheRequestLacks(String path, String part) {
		onBoth((client) -> client.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo(400)
			.jsonPath("$.detail")
			.isEqualTo("The request has no " + part + '.')
			.jsonPath("$.missing")
			.isEqualTo(part)
			.jsonPath("$.instance")
			.isEqualTo(path));
		assertThat(this.store.calls).isEmpty();
	}

	@Test
	void bodyMayLackItTooAndIsNamedByItsPath() {
		onBoth((client) -> client.post()
			.uri("/body")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"text\": \"hello\"}")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.missing")
			.isEqualTo("login['user']"));
	}

	@Test
	void requestWithAllPartsIsAnswered() {
		onBoth((client) -> {
			client.get().uri("/header").header("X-Api-Key", "k1").exchange().expectStatus().isOk();
			client.get().uri("/implicit?userId=laoqian").exchange().expectStatus().isOk();
			client.get().uri("/url/any").header("X-Api-Key", "k2").exchange().expectStatus().isOk();
		});
		assertThat(this.store.calls).containsExactly(List.of("header:k1"), List.of("implicit:laoqian"),
				List.of("url:k2"), List.of("header:k1"), List.of("implicit:laoqian"), List.of("url:k2"));
	}

	/**
	 * Each without a value, though not because the client has sent none.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/own-mistake", "/attribute" })
	void otherKeysThatHaveNoValueStayErrorsOfTheServer(String path) {
		onBoth((client) -> client.get().uri(path).exchange().expectStatus().isEqualTo(500), CatchAll.class);
	}

	@Test
	void handlerOfTheApplicationForThisExceptionWins() {
		onBoth((client) -> client.get().uri("/header").exchange().expectStatus().isEqualTo(I_AM_A_TEAPOT),
				OwnHandler.class);
	}

	@Test
	void catchAllHandlerOfTheApplicationDoesNot() {
		onBoth((client) -> client.get().uri("/header").exchange().expectStatus().isBadRequest(), CatchAll.class);
	}

	@Test
	void ruleIsWarnedAboutOnceAMinute() {
		try (RecordedLog log = new RecordedLog(MissingPartLog.class)) {
			this.servlet.withBean(Controller.class).run((context) -> {
				WebTestClient client = client(context);
				for (String path : List.of("/header", "/header", "/cookie", "/header", "/cookie", "/url/any")) {
					client.get().uri(path).exchange().expectStatus().isBadRequest();
				}
			});
			assertThat(log.lines()).containsExactly(
					"WARNING The key of rule \"header\" on Controller.header() has no value: the request has no header "
							+ "X-Api-Key. Such requests are answered with 400. This is logged once a minute for each rule.",
					"WARNING The key of rule \"cookie\" on Controller.cookie(String) has no value: the request has no "
							+ "cookie sid. Such requests are answered with 400. This is logged once a minute for each rule.",
					"WARNING The key of rule \"url\" on ratelimit.web.requests[0] has no value: the request has no header "
							+ "X-Api-Key. Such requests are answered with 400. This is logged once a minute for each rule.");
		}
	}

	@Test
	void ruleIsWarnedAboutAgainAMinuteLater() {
		long[] clock = { Long.MAX_VALUE };
		MissingPartLog warnings = new MissingPartLog(() -> clock[0]);
		MissingKeyPartException failure = new MissingKeyPartException("api", "principal", "No key.");
		try (RecordedLog log = new RecordedLog(MissingPartLog.class)) {
			for (int second = 0; second <= 120; second++) {
				warnings.warn(failure);
				clock[0] += 1_000_000_000;
			}
			assertThat(log.lines()).hasSize(3);
		}
	}

	@Test
	void exceptionHasNoStackTrace() {
		MissingKeyPartException failure = new MissingKeyPartException("api", "principal", "No key.");
		assertThat(failure.getStackTrace()).isEmpty();
		assertThat(failure.part()).isEqualTo("principal");
	}

	private void onBoth(Consumer<WebTestClient> test, Class<?>... beans) {
		this.servlet.withBean(Controller.class)
			.withBean(ServletRoutes.class)
			.withBean(Service.class)
			.withUserConfiguration(beans)
			.run((context) -> test.accept(client(context)));
		this.reactive.withBean(Controller.class)
			.withBean(ReactiveRoutes.class)
			.withBean(Service.class)
			.withUserConfiguration(beans)
			.run((context) -> test.accept(WebTestClient.bindToApplicationContext(context).build()));
	}

	private static WebTestClient client(WebApplicationContext context) {
		return MockMvcWebTestClient.bindToApplicationContext(context).filters(filter(context)).build();
	}

	private static Filter filter(ApplicationContext context) {
		return context.getBean("rateLimitRequestFilter", FilterRegistrationBean.class).getFilter();
	}

	@RestController
	static class Controller {

		@GetMapping("/header")
		@RateLimited(name = "header", key = "header('X-Api-Key')", max = 5, period = 60)
		public String header() {
			return "done";
		}

		@GetMapping("/header-part")
		@RateLimited(name = "header-part", key = "header('X-Api-Key') + ':reply'", max = 5, period = 60)
		public String headerPart() {
			return "done";
		}

		@GetMapping("/header-argument")
		@RateLimited(name = "header-argument", key = "#key + ':reply'", max = 5, period = 60)
		public String headerArgument(@RequestHeader(name = "X-Api-Key", required = false) String key) {
			return "done";
		}

		@GetMapping("/header-method")
		@RateLimited(name = "header-method", key = "header('X-Api-Key').toLowerCase()", max = 5, period = 60)
		public String headerMethod() {
			return "done";
		}

		@GetMapping("/substitute")
		@RateLimited(name = "substitute", key = "header('X-Api-Key') ?: principal", max = 5, period = 60)
		public String substitute() {
			return "done";
		}

		@GetMapping("/principal")
		@RateLimited(name = "principal", key = "'user ' + principal", max = 5, period = 60)
		public String principal() {
			return "done";
		}

		@GetMapping("/principal-argument")
		@RateLimited(name = "principal-argument", key = "#user.name", max = 5, period = 60)
		public String principalArgument(Principal user) {
			return "done";
		}

		@GetMapping("/parameter")
		@RateLimited(name = "parameter", key = "#id", max = 5, period = 60)
		public String parameter(@RequestParam(name = "user", required = false) String id) {
			return "done";
		}

		@GetMapping("/implicit")
		@RateLimited(name = "implicit", key = "#userId", max = 5, period = 60)
		public String implicit(String userId) {
			return "done";
		}

		@GetMapping("/position")
		@RateLimited(name = "position", key = "#a0 + ''", max = 5, period = 60)
		public String position(String user) {
			return "done";
		}

		@GetMapping("/cookie")
		@RateLimited(name = "cookie", key = "#sid", max = 5, period = 60)
		public String cookie(@CookieValue(required = false) String sid) {
			return "done";
		}

		@GetMapping("/future")
		@RateLimited(name = "future", key = "header('X-Api-Key')", max = 5, period = 60)
		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("done");
		}

		@GetMapping("/mono")
		@RateLimited(name = "mono", key = "header('X-Api-Key')", max = 5, period = 60)
		public Mono<String> mono() {
			return Mono.just("done");
		}

		@GetMapping("/object")
		@RateLimited(name = "object", key = "#form.user", max = 5, period = 60)
		public String object(Form form) {
			return "done";
		}

		@PostMapping("/body")
		@RateLimited(name = "body", key = "#login['user']", max = 5, period = 60)
		public String body(@RequestBody Map<String, String> login) {
			return "done";
		}

		@GetMapping("/own-mistake")
		@RateLimited(name = "own-mistake", key = "targetClass.componentType", max = 5, period = 60)
		public String ownMistake() {
			return "done";
		}

		@GetMapping("/attribute")
		@RateLimited(name = "attribute", key = "#tenant", max = 5, period = 60)
		public String attribute(@RequestAttribute(required = false) String tenant) {
			return "done";
		}

		@GetMapping("/url/any")
		public String any() {
			return "done";
		}

	}

	static class Service {

		@RateLimited(name = "service", key = "header('X-Api-Key')", max = 5, period = 60)
		public String call() {
			return "done";
		}

	}

	static class ServletRoutes {

		@Bean
		org.springframework.web.servlet.function.RouterFunction<?> routes(Service service) {
			return org.springframework.web.servlet.function.RouterFunctions.route()
				.GET("/url/functional", (request) -> ok("done"))
				.GET("/functional", (request) -> ok(service.call()))
				.build();
		}

		private static org.springframework.web.servlet.function.ServerResponse ok(String body) {
			return org.springframework.web.servlet.function.ServerResponse.ok().body(body);
		}

	}

	static class ReactiveRoutes {

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<?> routes(Service service) {
			return org.springframework.web.reactive.function.server.RouterFunctions.route()
				.GET("/url/functional", (request) -> ok("done"))
				.GET("/functional", (request) -> ok(service.call()))
				.build();
		}

		private static Mono<org.springframework.web.reactive.function.server.ServerResponse> ok(String body) {
			return org.springframework.web.reactive.function.server.ServerResponse.ok().bodyValue(body);
		}

	}

	@ControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(INTERNAL_SERVER_ERROR)
		void all() {
		}

	}

	@ControllerAdvice
	static class OwnHandler {

		@ExceptionHandler
		@ResponseStatus(I_AM_A_TEAPOT)
		void handle(MissingKeyPartException failure) {
		}

	}

	record Form(String user) {

	}

}
