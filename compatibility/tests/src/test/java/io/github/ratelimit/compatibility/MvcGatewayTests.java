package io.github.ratelimit.compatibility;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.compatibility.recipes.MvcGatewayRoutes;
import io.github.ratelimit.gateway.mvc.RateLimitFilterFunctions;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.cloud.client.circuitbreaker.ConfigBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.removeRequestHeader;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.setRequestHeader;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.stripPrefix;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.filter.CircuitBreakerFilterFunctions.circuitBreaker;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * Filter {@code RateLimit} of a Gateway Server MVC in front of a real server, with a real
 * Redis. The routes are those of docs/gateway.md.
 */
@Tag("in-ci")
@OnOuterLines
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MvcGatewayTests {

	private final GatewayBackEnd backEnd = new GatewayBackEnd();

	private RedisProcess redis;

	private Server gateway;

	@BeforeAll
	void start() {
		this.redis = RedisProcess.start();
		this.gateway = gateway("spring.data.redis.port=" + this.redis.port());
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.redis.close();
		this.backEnd.close();
	}

	private Server gateway(String setting) {
		return Server.start(WebApplicationType.SERVLET, MvcGatewayRoutes.class,
				"spring.config.import=classpath:recipes/gateway-mvc.yml", "catalog.url=" + this.backEnd.url(), setting);
	}

	@Test
	void routeAdmitsExactlyAsManyRequestsAsItsRule() {
		for (int i = 0; i < 100; i++) {
			assertThat(get("/catalog/items", "k1")).startsWith("HTTP/1.1 200")
				.contains("RateLimit-Policy: \"api\";q=100;w=3600", "RateLimit: \"api\";r=" + (99 - i) + ";");
		}
		assertThat(get("/catalog/items", "k1")).startsWith("HTTP/1.1 429")
			.containsPattern("Retry-After: \\d+")
			.containsPattern("RateLimit: \"api\";r=0;t=\\d+")
			.contains("Content-Type: application/problem+json", "#quota-exceeded", "\"instance\":\"/catalog/items\"")
			.doesNotContain("back-end");
		assertThat(this.backEnd.requests("/catalog/items")).isEqualTo(100);
		assertThat(get("/catalog/items", "k2")).startsWith("HTTP/1.1 200");
	}

	@Test
	void fullFormHasAKeyOfSeveralPartsACostAndARefund() {
		assertThat(get("/orders/export", "k1")).contains("RateLimit: \"orders\";r=90;t=60").doesNotContain("back-end");
		assertThat(this.gateway.remaining("orders", "k1:/orders/export")).isEqualTo(90);
		assertThat(get("/orders/500", "k1")).startsWith("HTTP/1.1 500");
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.gateway.remaining("orders", "k1:/orders/500")).isEqualTo(100));
		assertThat(Server.raw(this.gateway.port(), "GET", "/orders/1")).startsWith("HTTP/1.1 400")
			.contains("\"missing\":\"header X-Api-Key\"");
	}

	@Test
	void keyMayContainCommasAndVariablesInThePathOfTheRoute() {
		assertThat(get("/tenants/acme/200", "k1")).startsWith("HTTP/1.1 200");
		assertThat(this.gateway.remaining("orders", "1acme")).isEqualTo(99);
	}

	@Test
	void slotOfAProgrammedRouteIsHeldUntilTheLastByte() throws Exception {
		try (Socket socket = new Socket("localhost", this.gateway.port())) {
			socket.setSoTimeout(60_000);
			socket.getOutputStream()
				.write("GET /exports/stream HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: k1\r\nConnection: close\r\n\r\n"
					.getBytes(StandardCharsets.UTF_8));
			await().atMost(60, TimeUnit.SECONDS)
				.untilAsserted(() -> assertThat(this.backEnd.requests("/exports/stream")).isEqualTo(1));
			assertThat(get("/exports/1", "k1")).startsWith("HTTP/1.1 429").doesNotContain("Retry-After");
			this.backEnd.release();
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).contains("item");
		}
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.gateway.remaining("exports", "k1")).isEqualTo(1));
		assertThat(get("/exports/200", "k1")).startsWith("HTTP/1.1 200");
	}

	@Test
	void slotIsFreeWhenTheClientDisconnectsAlthoughTheBackEndGoesOn() throws Exception {
		try (Socket socket = new Socket("localhost", this.gateway.port())) {
			socket.getOutputStream()
				.write("GET /exports/ticks HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: k2\r\n\r\n"
					.getBytes(StandardCharsets.UTF_8));
			assertThat(socket.getInputStream().read()).isPositive();
			assertThat(this.gateway.remaining("exports", "k2")).isZero();
		}
		await().untilAsserted(() -> assertThat(this.gateway.remaining("exports", "k2")).isEqualTo(1));
		this.backEnd.release();
	}

	@Test
	void denialsBehindACircuitBreakerAreAnswersAndNoFailures() {
		try (Server guarded = guarded()) {
			assertThat(guarded.raw("GET", "/guarded/404", "X-Api-Key: k1")).startsWith("HTTP/1.1 404");
			await().untilAsserted(() -> assertThat(guarded.remaining("guarded", "k1")).isEqualTo(1));
			assertThat(guarded.raw("GET", "/guarded/200", "X-Api-Key: k1")).startsWith("HTTP/1.1 200")
				.containsIgnoringCase("RateLimit: \"guarded\";r=0;");
			assertThat(guarded.raw("GET", "/guarded/200", "X-Api-Key: k1")).startsWith("HTTP/1.1 429")
				.containsPattern("Retry-After: \\d+")
				.contains("Content-Type: application/problem+json", "#quota-exceeded", "\"instance\":\"/guarded/200\"");
			assertThat(guarded.raw("GET", "/guarded/200")).startsWith("HTTP/1.1 400")
				.contains("\"missing\":\"header X-Api-Key\"");
			assertThat(guarded.bean(Breakers.class).failures).hasValue(0);
		}
	}

	@Test
	void storeThatIsDownIsAnAnswerBehindACircuitBreakerToo() {
		try (Server guarded = guarded("ratelimit.store=redis", "spring.data.redis.port=1",
				"ratelimit.redis.timeout=200ms", "ratelimit.defaults.on-store-failure=deny")) {
			assertThat(guarded.raw("GET", "/guarded/200", "X-Api-Key: k1")).startsWith("HTTP/1.1 503")
				.containsPattern("Retry-After: \\d+")
				.contains("Content-Type: application/problem+json", "#temporary-reduced-capacity");
			assertThat(guarded.bean(Breakers.class).failures).hasValue(0);
		}
	}

	@Test
	void keysReadTheRequestAsEarlierFiltersHaveChangedIt() {
		try (Server guarded = guarded()) {
			assertThat(
					guarded.raw("GET", "/verified/200?user=mallory&of=a%2Bb", "X-Tenant: mallory", "X-Forged: mallory"))
				.startsWith("HTTP/1.1 200");
			assertThat(guarded.remaining("verified", "acme|ann|a+b|no|/200")).isEqualTo(3);
		}
	}

	private Server guarded() {
		return guarded("ratelimit.store=local");
	}

	private Server guarded(String... store) {
		return Server.start(WebApplicationType.SERVLET, GuardedGateway.class,
				Stream
					.concat(Stream.of(store),
							Stream.of("catalog.url=" + this.backEnd.url(), "ratelimit.rules.guarded.max=1",
									"ratelimit.rules.guarded.period=1h", "ratelimit.rules.guarded.unless=status == 404",
									"ratelimit.rules.verified.max=5", "ratelimit.rules.verified.period=1h"))
					.toArray(String[]::new));
	}

	@Test
	void mistakesStopStartup() {
		String route = "spring.cloud.gateway.server.webmvc.routes[0].";
		assertThatThrownBy(() -> Server.start(WebApplicationType.SERVLET, MvcGatewayRoutes.class,
				"ratelimit.store=local", "ratelimit.rules.orders.max=5", "ratelimit.rules.orders.period=60",
				"catalog.url=http://localhost", route + "id=orders", route + "uri=http://localhost",
				route + "predicates[0]=Path=/**", route + "filters[0]=RateLimit=ordres, ip",
				route + "filters[1].name=RateLimit", route + "filters[1].args.rule=orders",
				route + "filters[1].args.keys=ip", route + "filters[2]=RateLimit",
				route + "filters[3]=RateLimit=orders,"))
			.isInstanceOf(RateLimitConfigurationException.class)
			.hasMessageContaining("Gateway route \"exports\": RateLimit.rule = \"exports\" is invalid")
			.hasMessageContaining("Gateway route \"orders\": RateLimit.rule = \"ordres\" is invalid")
			.hasMessageContaining("Gateway route \"orders\": RateLimit.keys = \"ip\" is invalid")
			.hasMessageContaining("Gateway route \"orders\": RateLimit.rule is missing")
			.hasMessageContaining(route + "filters[3] = \"RateLimit=orders,\" is invalid: there is no key");
	}

	@Test
	void filterWhoseAnswersAreExcludedStopsStartup() {
		String excluded = ServletRateLimitAutoConfiguration.class.getName();
		assertThatThrownBy(() -> Server.start(WebApplicationType.SERVLET, MvcGatewayRoutes.class,
				"ratelimit.store=local", "ratelimit.rules.exports.max=5", "ratelimit.rules.exports.period=60",
				"catalog.url=http://localhost", "spring.autoconfigure.exclude=" + excluded))
			.isInstanceOf(RateLimitConfigurationException.class)
			.hasMessageContaining("Gateway route \"exports\": RateLimit is invalid: nothing answers a denied request")
			.hasMessageContaining("Remove " + excluded + " from the excluded auto-configurations");
	}

	@Test
	void mistakesThatAreOnlyWarnedAboutFailTheRequestsOfTheirRoutes() {
		String route = "spring.cloud.gateway.server.webmvc.routes";
		try (Server warned = Server.start(WebApplicationType.SERVLET, MvcGatewayRoutes.class, "ratelimit.store=local",
				"ratelimit.verification=warn", "ratelimit.rules.orders.max=5", "ratelimit.rules.orders.period=60",
				"catalog.url=" + this.backEnd.url(), route + "[0].id=wrong", route + "[0].uri=" + this.backEnd.url(),
				route + "[0].predicates[0]=Path=/wrong/**", route + "[0].filters[0]=RateLimit=ordres, ip",
				route + "[1].id=orders", route + "[1].uri=" + this.backEnd.url(), route + "[1].predicates[0]=Path=/200",
				route + "[1].filters[0]=RateLimit=orders, ip")) {
			assertThat(warned.raw("GET", "/wrong/200")).startsWith("HTTP/1.1 500");
			assertThat(warned.raw("GET", "/200")).startsWith("HTTP/1.1 200");
			assertThat(warned.remaining("orders", "127.0.0.1")).isEqualTo(4);
			assertThat(warned.raw("GET", "/exports/200")).startsWith("HTTP/1.1 500");
		}
	}

	@Test
	void filterOfADisabledLimiterLimitsNothing() {
		try (Server disabled = gateway("ratelimit.enabled=false")) {
			assertThat(disabled.raw("GET", "/catalog/200")).startsWith("HTTP/1.1 200")
				.doesNotContain("RateLimit-Policy");
			assertThat(disabled.raw("GET", "/exports/200")).startsWith("HTTP/1.1 200");
		}
	}

	/**
	 * Return a response in which the header of the limits, which replaces that of the
	 * back end, is spelled as everywhere: Tomcat keeps the spelling of the first.
	 */
	private String get(String path, String apiKey) {
		return this.gateway.raw("GET", path, "X-Api-Key: " + apiKey).replace("Ratelimit:", "RateLimit:");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Breakers.class)
	static class GuardedGateway {

		@Bean
		RouterFunction<ServerResponse> guarded(RateLimitFilterFunctions rateLimit,
				@Value("${catalog.url}") String catalog) {
			return route("guarded").GET("/guarded/**", http())
				.before(uri(catalog))
				.filter(circuitBreaker((c) -> c.setId("guarded").setFallbackPath("/fallback").setStatusCodes("503")))
				.filter(rateLimit.apply("guarded", (c) -> c.setRule("guarded").setKey("header('X-Api-Key')")))
				.build();
		}

		@Bean
		RouterFunction<ServerResponse> verified(RateLimitFilterFunctions rateLimit,
				@Value("${catalog.url}") String catalog) {
			return route("verified").GET("/verified/**", http())
				.before(uri(catalog))
				.before(setRequestHeader("X-Tenant", "acme"))
				.before(removeRequestHeader("X-Forged"))
				.before((request) -> ServerRequest.from(request)
					.params((parameters) -> parameters.set("user", "ann"))
					.build())
				.before(stripPrefix(1))
				.filter(rateLimit.apply("verified",
						(c) -> c.setUnless("status >= 500")
							.setCost("2")
							.setRule("verified")
							.setKey("header('X-Tenant') + '|' + param('user') + '|' + param('of') + '|'"
									+ " + (header('X-Forged') ?: 'no') + '|' + path")))
				.build();
		}

	}

	/**
	 * Circuit breakers that run calls on threads of their own, as those of Resilience4J.
	 */
	static class Breakers extends CircuitBreakerFactory<Object, ConfigBuilder<Object>> {

		final AtomicInteger failures = new AtomicInteger();

		@Override
		public CircuitBreaker create(String id) {
			return this::run;
		}

		private <T> T run(Supplier<T> call, Function<Throwable, T> fallback) {
			try {
				return CompletableFuture.supplyAsync(call).join();
			}
			catch (CompletionException ex) {
				this.failures.incrementAndGet();
				return fallback.apply(ex.getCause());
			}
		}

		@Override
		protected ConfigBuilder<Object> configBuilder(String id) {
			return Object::new;
		}

		@Override
		public void configureDefault(Function<String, Object> configuration) {
			// there is nothing to configure
		}

	}

}
