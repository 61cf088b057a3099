package io.github.ratelimit.compatibility;

import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.compatibility.recipes.GatewayKeys;
import io.github.ratelimit.compatibility.recipes.GatewayRoutes;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.handler.predicate.PredicateDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionWriter;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ApplicationEventMulticaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Filter {@code RateLimit} of two gateways in front of a real server, which share a real
 * Redis. Most routes are those of docs/gateway.md.
 */
@Tag("in-ci")
@OnOuterLines
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class GatewayTests {

	private static final String ORIGIN = "https://example.org";

	private final GatewayBackEnd backEnd = new GatewayBackEnd();

	private RedisProcess redis;

	private Server one;

	private Server other;

	@BeforeAll
	void start() {
		this.redis = RedisProcess.start();
		this.one = gateway();
		this.other = gateway();
	}

	@AfterAll
	void stop() {
		this.one.close();
		this.other.close();
		this.redis.close();
		this.backEnd.close();
	}

	private Server gateway() {
		return Server.start(WebApplicationType.REACTIVE, Gateway.class,
				"spring.config.import=classpath:recipes/gateway.yml", "catalog.url=" + this.backEnd.url(),
				"spring.data.redis.port=" + this.redis.port(), "ratelimit.rules.failed.max=5",
				"ratelimit.rules.failed.period=1h", "ratelimit.rules.failed.unless=status < 400",
				"ratelimit.rules.retried.max=5", "ratelimit.rules.retried.period=1h",
				"ratelimit.rules.prioritized.max=3", "ratelimit.rules.prioritized.period=1h",
				"ratelimit.rules.prioritized.headroom.low=2",
				"ratelimit.rules.prioritized.priority=header('X-Api-Key')",
				"spring.cloud.gateway.server.webflux.globalcors.cors-configurations.[/**].allowed-origins=" + ORIGIN);
	}

	@Test
	void twoGatewaysAdmitExactlyAsManyAsTheRuleAndDenyTheOthersWithRetryAfter() throws Exception {
		List<String> answers = answers(150, "/catalog/items");
		List<String> denied = answers.stream().filter((answer) -> status(answer) == 429).toList();
		assertThat(answers).filteredOn((answer) -> status(answer) == 200)
			.hasSize(100)
			.allSatisfy((answer) -> assertThat(answer).contains("RateLimit-Policy: \"api\";q=100;w=3600",
					"RateLimit: \"api\";r="));
		assertThat(denied).hasSize(50)
			.allSatisfy((answer) -> assertThat(answer).containsPattern("Retry-After: \\d+")
				.containsPattern("RateLimit: \"api\";r=0;t=\\d+")
				.contains("Content-Type: application/problem+json", "#quota-exceeded",
						"\"instance\":\"/catalog/items\"")
				.contains("Access-Control-Allow-Origin: " + ORIGIN));
		assertThat(this.backEnd.requests("/catalog/items")).isEqualTo(100);
		assertThat(get(this.one, "/catalog/items", "k2")).startsWith("HTTP/1.1 200");
	}

	@Test
	void requestRateLimiterOfGatewaySendsNoRetryAfter() throws Exception {
		List<String> answers = answers(150, "/search/items");
		List<String> denied = answers.stream().filter((answer) -> status(answer) == 429).toList();
		System.out.println("RequestRateLimiter: replenishRate 1, burstCapacity 100, 150 calls at once: "
				+ (150 - denied.size()) + " admitted");
		assertThat(denied).hasSizeBetween(1, 50)
			.allSatisfy((answer) -> assertThat(answer).doesNotContain("Retry-After", "problem+json"));
	}

	@Test
	void tokenBucketCountsForBothGateways() {
		assertThat(get(this.one, "/suggestions/200", "k3")).startsWith("HTTP/1.1 200")
			.contains("RateLimit: \"search\";r=99;");
		for (int i = 0; i < 20; i++) {
			assertThat(get(this.one, "/suggestions/200", "k3")).startsWith("HTTP/1.1 200");
		}
		// a gateway that counts alone has 99 left; one unit comes back per second
		assertThat(get(this.other, "/suggestions/200", "k3")).startsWith("HTTP/1.1 200")
			.containsPattern("RateLimit: \"search\";r=([78]\\d|9[0-8]);");
	}

	@Test
	void fullFormHasAKeyOfSeveralPartsAndACost() {
		assertThat(get(this.one, "/orders/export", "k1")).contains("RateLimit: \"orders\";r=90;t=60");
		assertThat(get(this.other, "/orders/export", "k1")).contains("RateLimit: \"orders\";r=80;");
		assertThat(get(this.one, "/orders/1/200", "k1")).contains("RateLimit: \"orders\";r=99;t=60")
			.doesNotContain("back-end");
		assertThat(this.one.remaining("orders", "k1:/orders/export")).isEqualTo(80);
		get(this.one, "/orders/500", "k1");
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.one.remaining("orders", "k1:/orders/500")).isEqualTo(100));
		assertThat(Server.raw(this.one.port(), "GET", "/orders/1")).startsWith("HTTP/1.1 400")
			.contains("\"missing\":\"header X-Api-Key\"");
	}

	@Test
	void slotOfAProgrammedRouteIsHeldUntilTheLastByte() throws Exception {
		try (Socket socket = new Socket("localhost", this.one.port())) {
			socket.setSoTimeout(60_000);
			socket.getOutputStream()
				.write("GET /exports/stream HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: k1\r\nConnection: close\r\n\r\n"
					.getBytes(StandardCharsets.UTF_8));
			assertThat(socket.getInputStream().read()).isEqualTo('H');
			assertThat(get(this.other, "/exports/1", "k1")).startsWith("HTTP/1.1 429").doesNotContain("Retry-After");
			this.backEnd.release();
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).contains("item");
		}
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.other.remaining("exports", "k1")).isEqualTo(1));
		assertThat(get(this.other, "/exports/200", "k1")).startsWith("HTTP/1.1 200");
	}

	@Test
	void routesAreRefreshedAndMistakesKeepThoseThatThereAre(CapturedOutput output) {
		define("added", "/added/**", "Retry=2", "RateLimit=retried, ip", "StripPrefix=1");
		assertThat(get(this.one, "/added/500", "k1")).startsWith("HTTP/1.1 500")
			.contains("RateLimit: \"retried\";r=4;");
		assertThat(this.backEnd.requests("/500")).isEqualTo(3);
		define("added", "/added/**", "RateLimit=retired, ip");
		assertThat(output)
			.contains("Gateway route \"added\": RateLimit.rule = \"retired\" is invalid: there is no such "
					+ "rule. Known: api, exports, failed, orders, prioritized, retried, search. Did you mean retried?");
		assertThat(get(this.one, "/added/200", "k1")).startsWith("HTTP/1.1 200")
			.contains("RateLimit: \"retried\";r=3;");
		define("added", "/added/**", "RateLimit=failed, ip", "StripPrefix=1");
		assertThat(get(this.one, "/added/200", "k1")).contains("RateLimit: \"failed\";r=4;");
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(this.one.remaining("failed", "127.0.0.1")).isEqualTo(5));
	}

	@Test
	void requestsOfAClassLeaveItsHeadroomFree() {
		define("prioritized", "/prioritized/**", "RateLimit=prioritized, ip", "StripPrefix=1");
		assertThat(get(this.one, "/prioritized/200", "low")).contains("RateLimit: \"prioritized\";r=0;");
		assertThat(get(this.one, "/prioritized/200", "low")).startsWith("HTTP/1.1 429").contains("Retry-After: ");
		assertThat(get(this.one, "/prioritized/200", "high")).startsWith("HTTP/1.1 200")
			.contains("RateLimit: \"prioritized\";r=1;");
	}

	@Test
	void mistakesStopStartup() {
		String route = "spring.cloud.gateway.server.webflux.routes[0].";
		assertThatThrownBy(() -> Server.start(WebApplicationType.REACTIVE, Gateway.class, "ratelimit.store=local",
				"ratelimit.rules.orders.max=5", "ratelimit.rules.orders.period=60", "catalog.url=http://localhost",
				route + "id=orders", route + "uri=http://localhost", route + "predicates[0]=Path=/**",
				route + "filters[0]=RateLimit=ordres, ip", route + "filters[1]=RateLimit",
				route + "filters[2]=RateLimit=orders,"))
			.isInstanceOf(RateLimitConfigurationException.class)
			.hasMessageContaining("Gateway route \"exports\": RateLimit.rule = \"exports\" is invalid")
			.hasMessageContaining("Gateway route \"orders\": RateLimit.rule = \"ordres\" is invalid")
			.hasMessageContaining("Gateway route \"orders\": RateLimit.rule is missing")
			.hasMessageContaining(route + "filters[2] = \"RateLimit=orders,\" is invalid: there is no key");
	}

	@Test
	void mistakesThatAreOnlyWarnedAboutFailTheRequestsOfTheirRoutes(CapturedOutput output) {
		String route = "spring.cloud.gateway.server.webflux.routes";
		try (Server warned = Server.start(WebApplicationType.REACTIVE, Gateway.class, "ratelimit.store=local",
				"ratelimit.verification=warn", "ratelimit.rules.orders.max=5", "ratelimit.rules.orders.period=60",
				"catalog.url=" + this.backEnd.url(), route + "[0].id=wrong", route + "[0].uri=" + this.backEnd.url(),
				route + "[0].predicates[0]=Path=/wrong/**", route + "[0].filters[0]=RateLimit=ordres, ip",
				route + "[1].id=orders", route + "[1].uri=" + this.backEnd.url(), route + "[1].predicates[0]=Path=/200",
				route + "[1].filters[0]=RateLimit=orders, ip")) {
			assertThat(get(warned, "/wrong/200", "k1")).startsWith("HTTP/1.1 500");
			assertThat(get(warned, "/200", "k1")).startsWith("HTTP/1.1 200").contains("RateLimit: \"orders\";r=4;");
			assertThat(get(warned, "/exports/200", "k1")).startsWith("HTTP/1.1 500");
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN") && line.contains("RateLimit.rule")))
			.satisfiesExactlyInAnyOrder(
					(line) -> assertThat(line)
						.contains("Gateway route \"wrong\": RateLimit.rule = \"ordres\" is invalid"),
					(line) -> assertThat(line)
						.contains("Gateway route \"exports\": RateLimit.rule = \"exports\" is invalid"));
	}

	private void define(String id, String path, String... filters) {
		RouteDefinition route = new RouteDefinition();
		route.setId(id);
		route.setUri(URI.create(this.backEnd.url()));
		route.setPredicates(List.of(new PredicateDefinition("Path=" + path)));
		route.setFilters(List.of(filters).stream().map(FilterDefinition::new).toList());
		this.one.bean(RouteDefinitionWriter.class).save(Mono.just(route)).block();
		this.one.bean(ApplicationEventMulticaster.class).multicastEvent(new RefreshRoutesEvent(this));
	}

	/**
	 * Send requests of one caller to both gateways at once.
	 */
	private List<String> answers(int requests, String path) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(30);
		try {
			List<Callable<String>> calls = IntStream.range(0, requests)
				.<Callable<String>>mapToObj((i) -> () -> get((i % 2 == 0) ? this.one : this.other, path, "k1"))
				.toList();
			List<String> answers = new ArrayList<>();
			for (Future<String> answer : threads.invokeAll(calls)) {
				answers.add(answer.get());
			}
			return answers;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static String get(Server gateway, String path, String apiKey) {
		return gateway.raw("GET", path, "X-Api-Key: " + apiKey, "Origin: " + ORIGIN);
	}

	private static int status(String answer) {
		return Integer.parseInt(answer.split(" ", 3)[1]);
	}

	@Import({ GatewayRoutes.class, GatewayKeys.class })
	static class Gateway {

	}

}
