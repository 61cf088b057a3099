package io.github.ratelimit.web;

import java.io.IOException;
import java.security.Principal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.CallFailureLog;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.web.ExceptionHandlersTests.CatchAll;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.format.annotation.DateTimeFormat.ISO;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.BodyContentSpec;
import org.springframework.test.web.reactive.server.WebTestClient.RequestHeadersSpec;
import org.springframework.util.StringUtils;
import org.springframework.validation.annotation.Validated;
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
import org.springframework.web.service.annotation.GetExchange;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.http.HttpStatus.I_AM_A_TEAPOT;

/**
 * A request that lacks a part of its key or cost is a client error, in Spring MVC and
 * WebFlux, by annotation and by URL.
 */
class MissingKeyPartTests {

	private static final String[] URL_RULES = { "ratelimit.rules.url.max=2", "ratelimit.rules.url.period=60",
			"ratelimit.web.requests[0].path=/url/**", "ratelimit.web.requests[0].rule=url",
			"ratelimit.web.requests[0].key=header('X-Api-Key')" };

	private static final Map<String, String> LACKING = Map.ofEntries(entry("/header", "header X-Api-Key"),
			entry("/header-part", "header X-Api-Key"), entry("/header-list", "header X-Api-Key"),
			entry("/header-argument", "header X-Api-Key"), entry("/header-method", "header X-Api-Key"),
			entry("/header-inherited", "header X-Api-Key"), entry("/header-root", "header X-Api-Key"),
			entry("/substitute", "principal"), entry("/principal", "principal"),
			entry("/principal-argument", "principal"), entry("/parameter", "parameter user"),
			entry("/implicit", "parameter userId"), entry("/position", "parameter user"), entry("/object", "form.user"),
			entry("/cookie", "cookie sid"), entry("/future", "header X-Api-Key"), entry("/mono", "header X-Api-Key"),
			entry("/functional", "header X-Api-Key"), entry("/url/any", "header X-Api-Key"),
			entry("/exchange", "header X-Api-Key"), entry("/formatted", "parameter since"),
			entry("/validated", "form.user"), entry("/url/functional", "header X-Api-Key"),
			entry("/cost", "header X-Cost"), entry("/cost-argument", "parameter units"),
			entry("/cost-method", "header X-Texts"), entry("/indexed", "header X-Api-Key"),
			entry("/mapped", "parameter user"));

	private static final List<String> OWN_MISTAKES = List.of("/own-mistake", "/attribute", "/value", "/client",
			"/own-cost");

	private final RecordingStore store = new RecordingStore();

	@ParameterizedTest
	@MethodSource("stacks")
	void answerNamesTheMissingPart(WebStack stack) {
		run(stack,
				(client) -> assertThat(LACKING)
					.allSatisfy((path, part) -> expectMissing(client, path, part).jsonPath("$.status")
						.isEqualTo(400)
						.jsonPath("$.detail")
						.isEqualTo("The request has no " + part + '.')
						.jsonPath("$.instance")
						.isEqualTo(path)));
		assertThat(this.store.calls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void emptyParameterIsMissingWhateverReadsIt(WebStack stack) {
		run(stack, (client) -> {
			expectMissing(client, "/optional?user=", "parameter user");
			expectMissing(client, "/chosen?user=", "parameter user");
			expectMissing(client, "/first?user=", "parameter user");
			expectMissing(client, "/lower?user=", "parameter user");
			expectMissing(client, "/object?user=", "form.user");
			expectMissing(client, "/accessor?user=", "form.user()");
			expectMissing(client.get().uri("/headers").header("X-Api-Key", ""), "headers.getFirst('X-Api-Key')");
		});
		assertThat(this.store.calls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void partThatTheCallDoesNotNeedIsNotMissing(WebStack stack) {
		run(stack, (client) -> {
			expectMissing(client, "/branch?byKey=true&user=ann", "header X-Api-Key");
			expectMissing(client, "/branch?byKey=false", "parameter user");
			expectMissing(client, "/both?tenant=acme", "parameter user");
			expectMissing(client, "/both?user=ann", "header X-Api-Key");
		});
		assertThat(this.store.calls()).isEmpty();
	}

	private static BodyContentSpec expectMissing(WebTestClient client, String path, String part) {
		return expectMissing(client.get().uri(path), part);
	}

	private static BodyContentSpec expectMissing(RequestHeadersSpec<?> request, String part) {
		return request.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.missing")
			.isEqualTo(part);
	}

	private static RequestHeadersSpec<?> post(WebTestClient client, String path, String json) {
		return client.post().uri(path).contentType(MediaType.APPLICATION_JSON).bodyValue(json);
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void missingPartOfTheBodyIsNamedByItsPath(WebStack stack) {
		run(stack, (client) -> {
			expectMissing(post(client, "/body", "{\"text\": \"hello\"}"), "login['user']");
			expectMissing(post(client, "/tags", "[\"java\", null]"), "body tags without null");
		});
	}

	/**
	 * A value of its own, unlike an empty field of a form: a body may have none, and the
	 * region of a language is derived.
	 */
	@ParameterizedTest
	@MethodSource("stacks")
	void emptyTextThatIsNoFieldIsNotMissing(WebStack stack) {
		run(stack, (client) -> {
			post(client, "/body", "{\"user\": \"\"}").exchange().expectStatus().isOk();
			client.get().uri("/language").header("Accept-Language", "en").exchange().expectStatus().isOk();
			expectMissing(post(client, "/body-with-key", "{\"user\": \"\"}"), "header X-Api-Key");
		});
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void requestWithAllPartsIsAnswered(WebStack stack) {
		run(stack, (client) -> {
			client.get().uri("/header").header("X-Api-Key", "k1").exchange().expectStatus().isOk();
			client.get().uri("/implicit?userId=laoqian").exchange().expectStatus().isOk();
			client.get().uri("/url/any").header("X-Api-Key", "k2").exchange().expectStatus().isOk();
		});
		assertThat(this.store.calls()).containsExactly(List.of("header:k1"), List.of("implicit:laoqian"),
				List.of("url:k2"));
	}

	/**
	 * Keys that have no value for reasons other than the request.
	 */
	@ParameterizedTest
	@MethodSource("stacks")
	void otherKeysThatHaveNoValueStayErrorsOfTheServer(WebStack stack) {
		run(stack,
				(client) -> assertThat(OWN_MISTAKES)
					.allSatisfy((path) -> client.get().uri(path).exchange().expectStatus().isEqualTo(500)),
				CatchAll.class);
	}

	/** Although the request lacks a part of their keys as well. */
	@ParameterizedTest
	@MethodSource("stacks")
	void failuresOfMethodsOfTheApplicationStayErrorsOfTheServer(WebStack stack) {
		run(stack,
				(client) -> assertThat(List.of("/failing", "/failing-checked", "/failing-cost"))
					.allSatisfy((path) -> client.get().uri(path).exchange().expectStatus().isEqualTo(500)),
				CatchAll.class);
		assertThat(this.store.calls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void costThatIsNoNumberIsNamedByItsPart(WebStack stack) {
		run(stack,
				(client) -> assertThat(List.of("/cost", "/cost-default"))
					.allSatisfy((path) -> assertThat(List.of("many", "1.5", "-1")).allSatisfy((cost) -> client.get()
						.uri(path)
						.header("X-Cost", cost)
						.exchange()
						.expectStatus()
						.isBadRequest()
						.expectBody()
						.jsonPath("$.detail")
						.isEqualTo("The request has no number of units in header X-Cost."))));
		assertThat(this.store.calls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void inShadowModeNoRequestIsRefused(WebStack stack) {
		try (RecordedLog log = new RecordedLog(CallFailureLog.class)) {
			run(stack, "shadow", (client) -> assertThat(Stream.concat(LACKING.keySet().stream(), OWN_MISTAKES.stream()))
				.allSatisfy((path) -> {
					client.get().uri(path).exchange().expectStatus().isOk();
					client.get().uri(path).exchange().expectStatus().isOk();
				}), CatchAll.class);
			assertThat(warnings(log)).doesNotHaveDuplicates()
				.contains("WARNING The key of rule \"header\" on Controller.header() has no value: the request has no "
						+ "header X-Api-Key. The rule is in shadow mode, so such calls go on and are not counted. This is "
						+ "logged once a minute for each rule.");
		}
		assertThat(this.store.calls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void handlerOfTheApplicationForThisExceptionWins(WebStack stack) {
		run(stack, (client) -> client.get().uri("/header").exchange().expectStatus().isEqualTo(I_AM_A_TEAPOT),
				OwnHandler.class);
	}

	@ParameterizedTest
	@MethodSource("stacks")
	void catchAllHandlerOfTheApplicationDoesNot(WebStack stack) {
		run(stack, (client) -> client.get().uri("/header").exchange().expectStatus().isBadRequest(), CatchAll.class);
	}

	@Test
	void ruleIsWarnedAboutOnceAMinute() {
		try (RecordedLog log = new RecordedLog(CallFailureLog.class)) {
			run(WebStack.SPRING_MVC_BEHIND_FILTER, (client) -> {
				for (String path : List.of("/header", "/header", "/cookie", "/header", "/cookie", "/url/any")) {
					client.get().uri(path).exchange().expectStatus().isBadRequest();
				}
			});
			assertThat(warnings(log)).containsExactly(
					"WARNING The key of rule \"header\" on Controller.header() has no value: the request has no header "
							+ "X-Api-Key. Such requests are answered with 400. This is logged once a minute for each rule.",
					"WARNING The key of rule \"cookie\" on Controller.cookie(String) has no value: the request has no "
							+ "cookie sid. Such requests are answered with 400. This is logged once a minute for each rule.",
					"WARNING The key of rule \"url\" on ratelimit.web.requests[0] has no value: the request has no header "
							+ "X-Api-Key. Such requests are answered with 400. This is logged once a minute for each rule.");
		}
	}

	@Test
	void exceptionHasNoStackTrace() {
		MissingKeyPartException failure = new MissingKeyPartException("api", "principal", "No key.");
		assertThat(failure.getStackTrace()).isEmpty();
		assertThat(failure.part()).isEqualTo("principal");
	}

	private static List<String> warnings(RecordedLog log) {
		return log.lines().stream().filter((line) -> line.startsWith("WARNING")).toList();
	}

	static List<WebStack> stacks() {
		return List.of(WebStack.SPRING_MVC_BEHIND_FILTER, WebStack.WEB_FLUX);
	}

	private void run(WebStack stack, Consumer<WebTestClient> test, Class<?>... advices) {
		run(stack, "enforce", test, advices);
	}

	private void run(WebStack stack, String mode, Consumer<WebTestClient> test, Class<?>... advices) {
		List<Class<?>> configuration = new ArrayList<>(List.of(advices));
		configuration.addAll(List.of(Controller.class, ClientController.class, Service.class,
				(stack == WebStack.WEB_FLUX) ? ReactiveRoutes.class : ServletRoutes.class));
		stack.run(this.store, configuration, test,
				StringUtils.addStringToArray(URL_RULES, "ratelimit.defaults.mode=" + mode));
	}

	interface Api {

		void headerInherited(@RequestHeader(name = "X-Api-Key", required = false) String key);

		@GetExchange("/exchange")
		void exchange(@RequestHeader(name = "X-Api-Key", required = false) String key);

	}

	/** Client whose requests are written with the annotations of handlers. */
	interface Client {

		@GetMapping("/users")
		@RateLimited(name = "client", key = "#tenant", max = 5, period = 60)
		String users(@RequestHeader("X-Tenant") String tenant);

	}

	@RestController
	static class ClientController {

		private final Client client;

		ClientController(Client client) {
			this.client = client;
		}

		@Bean
		static Client client() {
			return ProxyFactory.getProxy(Client.class, (MethodInterceptor) (call) -> "done");
		}

		@GetMapping("/client")
		public String callsClient() {
			return this.client.users(null);
		}

	}

	@RestController
	static class Controller implements Api {

		@Override
		@GetMapping("/header-inherited")
		@RateLimited(name = "header-inherited", key = "#key + ':reply'", max = 5, period = 60)
		public void headerInherited(String key) {
		}

		@Override
		@RateLimited(name = "exchange", key = "#key", max = 5, period = 60)
		public void exchange(String key) {
		}

		@GetMapping("/header-root")
		@RateLimited(name = "header-root", key = "#root.header('X-Api-Key').toLowerCase()", max = 5, period = 60)
		public void headerRoot() {
		}

		@GetMapping("/optional")
		@RateLimited(name = "optional", key = "#user + ':reply'", max = 5, period = 60)
		public void optional(@RequestParam Optional<String> user) {
		}

		@GetMapping("/header")
		@RateLimited(name = "header", key = "header('X-Api-Key')", max = 5, period = 60)
		public void header() {
		}

		@GetMapping("/header-part")
		@RateLimited(name = "header-part", key = "header('X-Api-Key') + ':reply'", max = 5, period = 60)
		public void headerPart() {
		}

		@GetMapping("/header-list")
		@RateLimited(name = "header-list", key = "{ip, header('X-Api-Key')}", max = 5, period = 60)
		public void headerList() {
		}

		@GetMapping("/header-argument")
		@RateLimited(name = "header-argument", key = "#key + ':reply'", max = 5, period = 60)
		public void headerArgument(@RequestHeader(name = "X-Api-Key", required = false) String key) {
		}

		@GetMapping("/formatted")
		@RateLimited(name = "formatted", key = "#since", max = 5, period = 60)
		public void formatted(@DateTimeFormat(iso = ISO.DATE) @RequestParam(required = false) LocalDate since) {
		}

		@GetMapping("/validated")
		@RateLimited(name = "validated", key = "#form.user", max = 5, period = 60)
		public void validated(@Validated Form form) {
		}

		@GetMapping("/header-method")
		@RateLimited(name = "header-method", key = "header('X-Api-Key').toLowerCase()", max = 5, period = 60)
		public void headerMethod() {
		}

		@GetMapping("/substitute")
		@RateLimited(name = "substitute", key = "header('X-Api-Key') ?: principal", max = 5, period = 60)
		public void substitute() {
		}

		@GetMapping("/principal")
		@RateLimited(name = "principal", key = "'user ' + principal", max = 5, period = 60)
		public void principal() {
		}

		@GetMapping("/principal-argument")
		@RateLimited(name = "principal-argument", key = "#user.name", max = 5, period = 60)
		public void principalArgument(Principal user) {
		}

		@GetMapping("/parameter")
		@RateLimited(name = "parameter", key = "#id", max = 5, period = 60)
		public void parameter(@RequestParam(name = "user", required = false) String id) {
		}

		@GetMapping("/implicit")
		@RateLimited(name = "implicit", key = "#userId", max = 5, period = 60)
		public void implicit(String userId) {
		}

		@GetMapping("/chosen")
		@RateLimited(name = "chosen", key = "#user != null ? #user : 'nobody'", max = 5, period = 60)
		public void chosen(@RequestParam(required = false) String user) {
		}

		@GetMapping("/first")
		@RateLimited(name = "first", key = "#tenant ?: #user", max = 5, period = 60)
		public void first(@RequestParam(required = false) String tenant, @RequestParam(required = false) String user) {
		}

		@GetMapping("/branch")
		@RateLimited(name = "branch", key = "#byKey ? header('X-Api-Key') : #user", max = 5, period = 60)
		public void branch(@RequestParam boolean byKey, @RequestParam(required = false) String user) {
		}

		@GetMapping("/both")
		@RateLimited(name = "both", key = "(#tenant ?: header('X-Api-Key')) + #user", max = 5, period = 60)
		public void both(@RequestParam(required = false) String tenant, @RequestParam(required = false) String user) {
		}

		@GetMapping("/lower")
		@RateLimited(name = "lower", key = "#user.toLowerCase() + ':reply'", max = 5, period = 60)
		public void lower(@RequestParam String user) {
		}

		@GetMapping("/accessor")
		@RateLimited(name = "accessor", key = "#form.user()", max = 5, period = 60)
		public void accessor(Form form) {
		}

		@GetMapping("/position")
		@RateLimited(name = "position", key = "#a0 + ''", max = 5, period = 60)
		public void position(String user) {
		}

		@GetMapping("/cookie")
		@RateLimited(name = "cookie", key = "#sid", max = 5, period = 60)
		public void cookie(@CookieValue(required = false) String sid) {
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

		@GetMapping("/indexed")
		@RateLimited(name = "indexed", key = "T(java.util.Map).of('k1', 'pro')[header('X-Api-Key')]", max = 5,
				period = 60)
		public void indexed() {
		}

		@GetMapping("/mapped")
		@RateLimited(name = "mapped", key = "{principal: #user + ':reply'}", max = 5, period = 60)
		public void mapped(@RequestParam(required = false) String user) {
		}

		@GetMapping("/headers")
		@RateLimited(name = "headers", key = "#headers.getFirst('X-Api-Key')", max = 5, period = 60)
		public void headers(@RequestHeader HttpHeaders headers) {
		}

		@GetMapping("/object")
		@RateLimited(name = "object", key = "#form.user", max = 5, period = 60)
		public void object(Form form) {
		}

		@PostMapping("/tags")
		@RateLimited(name = "tags", key = "#tags", max = 2, period = 60)
		public void tags(@RequestBody List<String> tags) {
		}

		@PostMapping("/body")
		@RateLimited(name = "body", key = "#login['user']", max = 5, period = 60)
		public void body(@RequestBody Map<String, String> login) {
		}

		@PostMapping("/body-with-key")
		@RateLimited(name = "body-with-key", key = "#login['user'] + header('X-Api-Key')", max = 5, period = 60)
		public void bodyWithKey(@RequestBody Map<String, String> login) {
		}

		@GetMapping("/language")
		@RateLimited(name = "language", key = "'region ' + #language.country", max = 5, period = 60)
		public void language(Locale language) {
		}

		@GetMapping("/own-mistake")
		@RateLimited(name = "own-mistake", key = "targetClass.componentType", max = 5, period = 60)
		public void ownMistake() {
		}

		@GetMapping("/failing")
		@RateLimited(name = "failing", key = "@owners.of(header('X-Api-Key'))", max = 5, period = 60)
		public void failing() {
		}

		@GetMapping("/failing-checked")
		@RateLimited(name = "failing-checked", key = "@owners.read(header('X-Api-Key'))", max = 5, period = 60)
		public void failingChecked() {
		}

		@GetMapping("/failing-cost")
		@RateLimited(name = "failing-cost", cost = "@owners.read(header('X-Cost')).length()", max = 5, period = 60)
		public void failingCost() {
		}

		@Bean
		static Owners owners() {
			return new Owners();
		}

		@GetMapping("/own-cost")
		@RateLimited(name = "own-cost", cost = "methodName", max = 5, period = 60)
		public void ownCost() {
		}

		@GetMapping("/cost")
		@RateLimited(name = "cost", cost = "header('X-Cost')", max = 5, period = 60)
		public void cost() {
		}

		@GetMapping("/cost-default")
		@RateLimited(name = "cost-default", cost = "header('X-Cost') ?: 1", max = 5, period = 60)
		public void costByDefault() {
		}

		@GetMapping("/cost-argument")
		@RateLimited(name = "cost-argument", cost = "#units * 2", max = 5, period = 60)
		public void costArgument(@RequestParam(required = false) Integer units) {
		}

		@GetMapping("/cost-method")
		@RateLimited(name = "cost-method", cost = "header('X-Texts').length()", max = 5, period = 60)
		public void costMethod() {
		}

		@GetMapping("/attribute")
		@RateLimited(name = "attribute", key = "#tenant", max = 5, period = 60)
		public void attribute(@RequestAttribute(required = false) String tenant) {
		}

		@GetMapping("/value")
		@RateLimited(name = "value", key = "#region", max = 5, period = 60)
		public String value(@Value("#{null}") String region) {
			return "done";
		}

		@GetMapping("/url/any")
		public void any() {
		}

	}

	static class Service {

		@RateLimited(name = "service", key = "header('X-Api-Key')", max = 5, period = 60)
		public String call() {
			return "done";
		}

	}

	/** Bean that fails, whatever it is asked. */
	static class Owners {

		public String of(String key) {
			throw new NullPointerException("own mistake");
		}

		public String read(String key) throws IOException {
			throw new IOException("own mistake");
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
	static class OwnHandler {

		@ExceptionHandler
		@ResponseStatus(I_AM_A_TEAPOT)
		void handle(MissingKeyPartException failure) {
		}

	}

	record Form(String user) {

	}

}
