package io.github.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.interceptor.RequestExpressionRoot;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.web.RateLimitProblemCustomizer;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.WebStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.springframework.http.HttpStatus.I_AM_A_TEAPOT;

/**
 * Limits of requests by URL in WebFlux. The store answers on another thread, as Redis
 * does.
 */
class RequestLimitWebFilterTests {

	private final RecordingStore store = new RecordingStore();

	private final ReactiveWebApplicationContextRunner runner = WebStack.reactiveRunner()
		.withBean(RateLimitStore.class, () -> this.store)
		.withBean(Controller.class)
		.withBean(Handling.class)
		.withBean(Routes.class)
		.withPropertyValues("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60", "ratelimit.rules.all.max=9",
				"ratelimit.rules.all.period=60");

	@ParameterizedTest
	@CsvSource({ "/api/**, GET, /api/replies/1, 1", "/api/**, GET, /apis, 0", "/api/*, GET, /api/replies/1, 0",
			"/api/**, DELETE, /api/replies, 0", "/api/**, POST, /api/replies, 1", "/api/**, HEAD, /api/replies, 1" })
	void pathAndMethodSelectTheRequests(String pattern, String method, String path, int calls) {
		run(new String[] { "[0].path=" + pattern, "[0].methods=get,POST", "[0].rule=api" }, (client) -> {
			client.method(HttpMethod.valueOf(method)).uri(path).exchange();
			assertThat(this.store.calls()).hasSize(calls);
		});
	}

	@Test
	void allowedAndDeniedResponsesShowTheLimits() {
		run(all(), (client) -> {
			get(client, "/api/replies").expectStatus()
				.isOk()
				.expectHeader()
				.valueEquals("RateLimit-Policy", "\"api\";q=2;w=60")
				.expectHeader()
				.valueEquals("RateLimit", "\"api\";r=1;t=60");
			get(client, "/api/replies");
			get(client, "/api/replies").expectStatus()
				.isEqualTo(429)
				.expectHeader()
				.exists("Retry-After")
				.expectHeader()
				.valueMatches("RateLimit", "\"api\";r=0;t=\\d+")
				.expectHeader()
				.contentType("application/problem+json")
				.expectBody()
				.jsonPath("$.type")
				.isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded")
				.jsonPath("$.status")
				.isEqualTo(429)
				.jsonPath("$.instance")
				.isEqualTo("/api/replies")
				.jsonPath("$.violated-policies[0]")
				.isEqualTo("api")
				.jsonPath("$.retry-after-ms")
				.isNumber();
		});
	}

	@ParameterizedTest
	@CsvSource({ "/api/nowhere, 404", "/api/static.txt, 200", "/api/functional, 200" })
	void requestsWithoutAControllerAreLimited(String path, int answer) {
		run(all(), (client) -> {
			get(client, path).expectStatus().isEqualTo(answer);
			get(client, path).expectStatus().isEqualTo(answer);
			get(client, path).expectStatus().isEqualTo(429).expectHeader().contentType("application/problem+json");
		}, "spring.web.resources.static-locations=classpath:/request-limits/");
	}

	@Test
	void rulesOfOneRequestAreDecidedTogetherAllOrNothing() {
		run(new String[] { "[0].path=/**", "[0].rule=all", "[1].path=/api/**", "[1].rule=api" }, (client) -> {
			for (int i = 0; i < 3; i++) {
				get(client, "/api/replies");
			}
			assertThat(this.store.calls()).hasSize(3).containsOnly(List.of("all:", "api:"));
			get(client, "/other").expectHeader().valueMatches("RateLimit", "\"all\";r=6;.*");
		});
	}

	@ParameterizedTest
	@CsvSource({ "plain", "mono" })
	void headersShowTheLimitsOfUrlAndAnnotation(String method) {
		run(all(), (client) -> {
			client.post()
				.uri("/api/" + method)
				.header("X-Api-Key", "k1")
				.exchange()
				.expectStatus()
				.isOk()
				.expectHeader()
				.valueMatches("RateLimit", "\"api\";r=1;t=\\d+, \"" + method + "\";r=4;t=\\d+");
			assertThat(this.store.calls()).containsExactly(List.of("api:"), List.of(method + ":k1"));
		});
	}

	@ParameterizedTest
	@CsvSource({ "header('X-Api-Key'), k1", "principal, laoqian", "path, /api/replies" })
	void keyDeterminesTheCounter(String key, String counted) {
		run(this.runner.withBean(Authentication.class), all("[0].key=" + key), (client) -> {
			client.get().uri("/api/replies").header("X-Api-Key", "k1").exchange().expectStatus().isOk();
			assertThat(this.store.calls()).containsExactly(List.of("api:" + counted));
		});
	}

	@Test
	void ipDeterminesTheCounter() {
		this.runner.withPropertyValues(properties(all("[0].key=ip"))).run((context) -> {
			MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/api/replies")
				.remoteAddress(new InetSocketAddress("2001:db8:1:2:3:4:5:6", 4711)));
			context.getBean(RequestLimitWebFilter.class).filter(exchange, (next) -> Mono.empty()).block();
			assertThat(this.store.calls()).containsExactly(List.of("api:2001:db8:1:2:0:0:0:0/64"));
		});
	}

	@Test
	void requestWithoutKeyFailsAndIsNotCounted() {
		run(all("[0].key=header('X-Api-Key')"), (client) -> {
			get(client, "/api/replies").expectStatus().isEqualTo(400);
			assertThat(this.store.calls()).isEmpty();
		});
	}

	@Test
	void failureOfAHandlerIsNotTakenForAnAnswerOfTheFilter() {
		run(all(), (client) -> {
			get(client, "/api/failing").expectStatus().isEqualTo(500);
			assertThat(this.store.calls()).hasSize(1);
		});
	}

	@Test
	void answers503WhenTheStoreIsDownAndThePolicyIsDeny() {
		this.store.fail();
		run(all(),
				(client) -> get(client, "/api/replies").expectStatus()
					.isEqualTo(503)
					.expectHeader()
					.valueEquals("Retry-After", "1")
					.expectBody()
					.jsonPath("$.type")
					.isEqualTo("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"),
				"ratelimit.defaults.on-store-failure=deny");
	}

	@ParameterizedTest
	@ValueSource(classes = { OwnHandler.class, OwnHandlerWithAttribute.class })
	void handlerOfTheApplicationAnswersWithoutModelAttributes(Class<?> handler) {
		run(this.runner.withBean(handler), all(), (client) -> {
			client.get().uri("/api/replies").header("X-Tenant", "acme").exchange().expectStatus().isOk();
			get(client, "/api/replies").expectStatus().isEqualTo(I_AM_A_TEAPOT);
		}, "ratelimit.rules.api.max=1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "https://forum.example" })
	void handlerOfTheControllerDoesNotAnswerWhateverTheOrigin(String origin) {
		run(all(), (client) -> {
			for (int status : List.of(200, 200, 429)) {
				client.get()
					.uri("https://api.example/api/handling")
					.headers((headers) -> headers.addAll("Origin", origin.isEmpty() ? List.of() : List.of(origin)))
					.exchange()
					.expectStatus()
					.isEqualTo(status);
			}
		});
	}

	@ParameterizedTest
	@CsvSource({ "ip, 0", "header('X-Api-Key') ?: path, 0", "principal ?: ip, 1", "@keys.of(#this), 1" })
	void principalIsLookedUpOnlyIfTheKeyMayUseIt(String key, int lookUps) {
		AtomicInteger lookedUp = new AtomicInteger();
		Mono<Principal> principal = Mono.fromSupplier(() -> {
			lookedUp.incrementAndGet();
			return () -> "laoqian";
		});
		this.runner.withBean("keys", Keys.class)
			.withPropertyValues(properties(all("[0].key=" + key)))
			.run((context) -> {
				MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.get("/api/replies")
					.remoteAddress(new InetSocketAddress("192.0.2.7", 4711));
				context.getBean(RequestLimitWebFilter.class)
					.filter(MockServerWebExchange.from(request).mutate().principal(principal).build(),
							(next) -> Mono.empty())
					.block();
				assertThat(this.store.calls()).hasSize(1);
				assertThat(lookedUp).hasValue(lookUps);
			});
	}

	@Test
	void problemIsInTheLanguageOfTheRequest() {
		run(this.runner.withBean(RateLimitProblemCustomizer.class,
				() -> (problem, failure) -> problem.setTitle(LocaleContextHolder.getLocale().getLanguage())), all(),
				(client) -> {
					get(client, "/api/replies").expectStatus().isOk();
					get(client, "/api/replies").expectStatus().isOk();
					for (String language : List.of("de", "fr")) {
						client.get()
							.uri("/api/replies")
							.header("Accept-Language", language)
							.exchange()
							.expectStatus()
							.isEqualTo(429)
							.expectBody()
							.jsonPath("$.title")
							.isEqualTo(language);
					}
				});
	}

	@Test
	void languageOfADeniedRequestDoesNotStayOnItsThread() {
		this.store.answerOn(Runnable::run);
		this.runner.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.rules.api.max=1")
			.run((context) -> {
				RequestLimitWebFilter filter = context.getBean(RequestLimitWebFilter.class);
				filter.filter(exchange(), (next) -> Mono.empty()).block();
				MockServerWebExchange denied = exchange();
				filter.filter(denied, (next) -> Mono.error(new AssertionError("went on"))).block();
				assertThat(denied.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
				assertThat(LocaleContextHolder.getLocaleContext()).isNull();
			});
	}

	@Test
	void handlerOfADenialHasTheRequest() {
		run(this.runner.withBean(Audit.class).withBean(Auditing.class), all(), (client) -> {
			for (int status : List.of(200, 200, 418)) {
				client.get().uri("/api/replies").header("X-Api-Key", "k1").exchange().expectStatus().isEqualTo(status);
			}
			assertThat(this.store.calls()).contains(List.of("audit:k1"));
		});
	}

	@Test
	void denialThatAHandlerItselfDecidesIsInTheHeaders() {
		this.runner.withBean(Programmed.class)
			.run((context) -> get(WebTestClient.bindToApplicationContext(context).build(), "/programmed").expectStatus()
				.isEqualTo(429)
				.expectHeader()
				.valueMatches("RateLimit", "\"all\";r=0;t=\\d+"));
	}

	@Test
	void handlersOfDenialsAreCalledAsAllOthers() {
		this.runner.withPropertyValues(properties(all())).run((context) -> {
			RequestMappingHandlerAdapter others = context.getBean(RequestMappingHandlerAdapter.class);
			RequestMappingHandlerAdapter ours = context.getBean(FailureDispatch.class).methods().get();
			assertThat(ours.getMessageReaders()).isEqualTo(others.getMessageReaders());
			assertThat(ours.getWebBindingInitializer()).isSameAs(others.getWebBindingInitializer());
			assertThat(ours.getArgumentResolverConfigurer()).isSameAs(others.getArgumentResolverConfigurer());
			assertThat(ours.getContentTypeResolver()).isSameAs(others.getContentTypeResolver());
			assertThat(ours.getReactiveAdapterRegistry()).isSameAs(others.getReactiveAdapterRegistry());
		});
	}

	@Test
	void denialThatNothingCanWriteStaysAnError() {
		this.runner.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.rules.api.max=1")
			.run((context) -> {
				FailureDispatch failures = context.getBean(FailureDispatch.class);
				RequestLimitWebFilter filter = new RequestLimitWebFilter(context.getBean(RequestRuleMatcher.class),
						context.getBean(WebRequests.class), new FailureDispatch(failures.exceptionHandlers(),
								failures.cors(), failures.methods(), List::of),
						context, 0);
				filter.filter(exchange(), (next) -> Mono.empty()).block();
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> filter.filter(exchange(), (next) -> Mono.empty()).block());
			});
	}

	@Test
	void failuresAreHandledBeforeOthersHandleThem() {
		this.runner.run((context) -> {
			assertThat(context.getBean(FailureHandlerAdapter.class).getOrder()).isEqualTo(Ordered.HIGHEST_PRECEDENCE);
			assertThat(context.getBean(FailureDispatch.OfFilters.class).getOrder())
				.isEqualTo(Ordered.HIGHEST_PRECEDENCE + 100);
		});
	}

	@Test
	void requestThatIsCanceledWhileItWaitsIsRefunded() {
		this.runner.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.store=local", "ratelimit.rules.api.algorithm=leaky-bucket",
					"ratelimit.rules.api.max-wait=1h")
			.run((context) -> {
				RequestLimitWebFilter filter = context.getBean(RequestLimitWebFilter.class);
				this.store.answerOn(Runnable::run);
				filter.filter(exchange(), (next) -> Mono.empty()).block(Duration.ofSeconds(10));
				Disposable waiting = filter.filter(exchange(), (next) -> Mono.error(new AssertionError("went on")))
					.subscribe();
				assertThat(waiting.isDisposed()).isFalse();
				assertThat(this.store.refunded()).isEmpty();
				waiting.dispose();
				assertThat(this.store.refunded()).containsExactly("api:");
			});
	}

	/** Without the decorator of the server's handler, as in a test of filters. */
	@Test
	void requestEndsWithTheFiltersBehindIfTheServerDoesNotTellItsEnd() {
		this.runner.withPropertyValues(properties(all("[0].unless=status < 400"))).run((context) -> {
			context.getBean(RequestLimitWebFilter.class).filter(exchange(), (next) -> Mono.empty()).block();
			await().untilAsserted(() -> assertThat(this.store.refunded()).containsExactly("api:"));
		});
	}

	/** Spring Boot's separate management port has a child context. */
	@ParameterizedTest
	@CsvSource({ "true, 0", "false, 1" })
	void requestsOfAChildContextAreLimitedIfItsParentHasNoServer(boolean serves, int calls) {
		this.runner.withPropertyValues(properties(all())).run((context) -> {
			ApplicationContext parent = serves ? context : context(null);
			RequestLimitWebFilter filter = new RequestLimitWebFilter(context.getBean(RequestRuleMatcher.class),
					context.getBean(WebRequests.class), context.getBean(FailureDispatch.class), parent, 0);
			ServerWebExchange ofChild = new ServerWebExchangeDecorator(exchange()) {

				private final ApplicationContext child = context(parent);

				@Override
				public ApplicationContext getApplicationContext() {
					return this.child;
				}

			};
			filter.filter(ofChild, (next) -> Mono.empty()).block();
			assertThat(this.store.calls()).hasSize(calls);
		});
	}

	private static ApplicationContext context(ApplicationContext parent) {
		GenericApplicationContext context = new GenericApplicationContext(parent);
		context.refresh();
		return context;
	}

	@Test
	void orderIsAfterSpringSecurityByDefault() {
		ReactiveWebApplicationContextRunner limited = this.runner.withPropertyValues(properties(all()));
		limited.run((context) -> assertThat(context.getBean(RequestLimitWebFilter.class).getOrder()).isEqualTo(-50));
		limited.withPropertyValues("ratelimit.web.order=-200")
			.run((context) -> assertThat(context.getBean(RequestLimitWebFilter.class).getOrder()).isEqualTo(-200));
	}

	@Test
	void thereIsNoFilterWithoutRequestsOrWhenDisabled() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(RequestLimitWebFilter.class)
			.hasSingleBean(RateLimiterRegistry.class));
		this.runner.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RequestLimitWebFilter.class)
				.hasSingleBean(RateLimiterRegistry.class));
	}

	private static MockServerWebExchange exchange() {
		return MockServerWebExchange.from(MockServerHttpRequest.get("/api/replies"));
	}

	private static WebTestClient.ResponseSpec get(WebTestClient client, String path) {
		return client.get().uri(path).exchange();
	}

	private static String[] all(String... more) {
		return Stream.of(new String[] { "[0].path=/api/**", "[0].rule=api" }, more)
			.flatMap(Stream::of)
			.toArray(String[]::new);
	}

	private static String[] properties(String... requests) {
		return Stream.of(requests).map("ratelimit.web.requests"::concat).toArray(String[]::new);
	}

	private void run(String[] requests, Consumer<WebTestClient> test, String... properties) {
		run(this.runner, requests, test, properties);
	}

	private static void run(ReactiveWebApplicationContextRunner runner, String[] requests, Consumer<WebTestClient> test,
			String... properties) {
		runner.withPropertyValues(properties(requests))
			.withPropertyValues(properties)
			.run((context) -> test.accept(WebTestClient.bindToApplicationContext(context).build()));
	}

	@RestController
	static class Controller {

		@GetMapping("/api/replies")
		String replies() {
			return "replies";
		}

		@GetMapping("/api/failing")
		String failing() {
			throw new IllegalStateException("failed");
		}

		@PostMapping("/api/plain")
		@RateLimited(name = "plain", key = "header('X-Api-Key')", max = 5, period = 60)
		public String plain() {
			return "plain";
		}

		@PostMapping("/api/mono")
		@RateLimited(name = "mono", key = "header('X-Api-Key')", max = 5, period = 60)
		public Mono<String> mono() {
			return Mono.just("mono");
		}

	}

	@RestController
	static class Handling {

		@GetMapping("/api/handling")
		String handling() {
			return "handling";
		}

		@ExceptionHandler(RateLimitExceededException.class)
		@ResponseStatus(I_AM_A_TEAPOT)
		void handle() {
		}

	}

	static class Keys {

		public Object of(RequestExpressionRoot request) {
			return request.getPrincipal();
		}

	}

	@RestController
	static class Programmed {

		private final RateLimiterRegistry limiters;

		Programmed(RateLimiterRegistry limiters) {
			this.limiters = limiters;
		}

		@GetMapping("/programmed")
		String programmed() {
			RateLimiter all = this.limiters.limiter("all");
			all.tryAcquire("", 9);
			throw new RateLimitExceededException(all.tryAcquire(""));
		}

	}

	static class Audit {

		@RateLimited(name = "audit", key = "header('X-Api-Key')", max = 5, period = 60)
		public void note() {
		}

	}

	@ControllerAdvice
	static class Auditing {

		private final Audit audit;

		Auditing(Audit audit) {
			this.audit = audit;
		}

		@ExceptionHandler
		@ResponseStatus(I_AM_A_TEAPOT)
		void handle(RateLimitExceededException denial) {
			this.audit.note();
		}

	}

	static class Routes {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route().GET("/api/functional", (request) -> ServerResponse.ok().build()).build();
		}

	}

	/**
	 * Provides the user as Spring Security does: in the subscription's context.
	 */
	@Order(-100)
	static class Authentication implements WebFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			Mono<Principal> principal = Mono
				.deferContextual((context) -> Mono.justOrEmpty(context.<Principal>getOrEmpty(Principal.class)));
			Principal laoqian = () -> "laoqian";
			return chain.filter(exchange.mutate().principal(principal).build())
				.contextWrite((context) -> context.put(Principal.class, laoqian));
		}

	}

	@ControllerAdvice
	static class OwnHandler {

		@ExceptionHandler
		@ResponseStatus(I_AM_A_TEAPOT)
		@ResponseBody
		String handle(RateLimitExceededException denial) {
			return "own";
		}

	}

	@ControllerAdvice
	static class OwnHandlerWithAttribute extends OwnHandler {

		@ModelAttribute("tenant")
		String tenant(@RequestHeader("X-Tenant") String tenant) {
			return tenant;
		}

	}

}
