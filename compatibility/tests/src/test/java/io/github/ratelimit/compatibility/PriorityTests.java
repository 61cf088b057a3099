package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Classes of requests and of calls of methods, over real HTTP and with a real Redis.
 */
@OnOuterLines
class PriorityTests {

	private static final Servers SERVERS = new Servers();

	private static final RedisProcess redis = RedisProcess.start();

	@AfterAll
	static void stop() {
		SERVERS.close();
		redis.close();
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, /url", "SERVLET, /method", "REACTIVE, /url", "REACTIVE, /method" })
	void lowIsDeniedFirstWhileHighTakesAll(WebApplicationType type, String path) {
		Server server = server(type);
		String call = path + "?client=first";
		for (int left = 4; left >= 0; left--) {
			HttpResponse<String> admitted = send(server, call, "low");
			assertThat(admitted.statusCode()).isEqualTo(200);
			assertThat(admitted.headers().firstValue("RateLimit").orElseThrow()).contains(";r=" + left + ";");
		}
		for (int i = 0; i < 3; i++) {
			HttpResponse<String> denied = send(server, call, "low");
			assertThat(denied.statusCode()).isEqualTo(429);
			assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 60L);
			assertThat(denied.headers().firstValue("RateLimit").orElseThrow()).contains(";r=0;");
		}
		assertThat(server.bean(MeterRegistry.class)
			.get("ratelimit.decisions")
			.tags("rule", path.substring(1), "origin", "deny-cache", "outcome", "denied")
			.counter()
			.count()).isEqualTo(2);
		HttpResponse<String> high = send(server, call, "high");
		assertThat(high.statusCode()).isEqualTo(200);
		assertThat(high.headers().firstValue("RateLimit").orElseThrow()).contains(";r=4;");
		for (int i = 0; i < 4; i++) {
			assertThat(send(server, call, "high").statusCode()).isEqualTo(200);
		}
		assertThat(send(server, call, "high").statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void namesThatRequestsBringAreNoTags(WebApplicationType type) {
		Server server = server(type);
		String call = "/url?client=named";
		for (String name : new String[] { "gold", "../low", "Silver" }) {
			assertThat(send(server, call, name).statusCode()).isEqualTo(200);
		}
		assertThat(server.post(call).headers().firstValue("RateLimit").orElseThrow()).contains(";r=4;");
		assertThat(send(server, call, "LOW").statusCode()).isEqualTo(200);
		assertThat(server.bean(MeterRegistry.class).get("ratelimit.priority.decisions").counters())
			.extracting((counter) -> counter.getId().getTag("priority"))
			.contains("low", "other")
			.isSubsetOf("low", "other", "high");
		assertThat(decisions(server, "other", "allowed")).isGreaterThanOrEqualTo(4);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void endpointExplainsWhatAClassMayTake(WebApplicationType type) {
		Server server = server(type);
		for (int i = 0; i < 4; i++) {
			send(server, "/url?client=explained", "high");
		}
		String key = "/actuator/ratelimits/url/explained";
		assertThat(server.get(key + "?explain&priority=low").body()).contains("\"priority\":\"low\"",
				"\"remaining\":1,", "Calls of class low leave 5 of the 10 units of limit \\\"url\\\" free");
		assertThat(server.get(key + "?explain&priority=LOW").body())
			.contains("\"priority\":\"low\"", "\"remaining\":1,")
			.doesNotContain("There is no class");
		assertThat(server.get(key).body()).contains("\"priority\":\"other\"", "\"remaining\":4,");
		assertThat(server.get(key + "?explain&priority=gold").body()).contains("\"priority\":\"other\"",
				"There is no class gold, so its calls are those of other. Known: ");
		assertThat(server.get("/actuator/ratelimits/url").body()).contains("\"priority\":\"header('X-Priority')\"",
				"\"low\":\"50%\"", "\"other\":\"2\"", "\"headroom\":\"ratelimit.rules.url.headroom\"");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void endpointShowsPlanAndPriorityOfAnnotations(WebApplicationType type) {
		assertThat(server(type).get("/actuator/ratelimits/method").body())
			.contains("\"selections\":{\"Controller.method(String)\":{\"priority\":\"header('X-Priority')\"}}");
		assertThat(server(type).get("/actuator/ratelimits/planned").body())
			.contains("\"selections\":{\"Controller.planned(String)\":{\"plan\":\"header('X-Plan')\"}}");
	}

	private static double decisions(Server server, String priority, String outcome) {
		Counter counter = server.bean(MeterRegistry.class)
			.get("ratelimit.priority.decisions")
			.tags("rule", "url", "priority", priority, "outcome", outcome)
			.counter();
		return counter.count();
	}

	private static HttpResponse<String> send(Server server, String path, String priority) {
		return server.post(path, "X-Priority", priority);
	}

	private static Server server(WebApplicationType type) {
		return SERVERS
			.get(type, Controller.class, "spring.data.redis.port=" + redis.port(),
					"management.endpoints.web.exposure.include=ratelimits", "ratelimit.rules.url.max=10",
					"ratelimit.rules.url.period=60", "ratelimit.rules.url.headroom.low=50%",
					"ratelimit.rules.url.headroom.other=2", "ratelimit.rules.url.priority=header('X-Priority')",
					"ratelimit.web.requests[0].path=/url", "ratelimit.web.requests[0].rule=url",
					"ratelimit.web.requests[0].key=param('client')", "ratelimit.rules.method.headroom.low=5",
					"ratelimit.rules.planned.plans.pro.max=20")
			.reset("first", "named", "explained");
	}

	@RestController
	static class Controller {

		@PostMapping("/url")
		String url() {
			return "done";
		}

		@PostMapping("/planned")
		@RateLimited(name = "planned", key = "#client", plan = "header('X-Plan')", max = 10, period = 60)
		public String planned(@RequestParam String client) {
			return "done";
		}

		@PostMapping("/method")
		@RateLimited(name = "method", key = "#client", priority = "header('X-Priority')", max = 10, period = 60)
		public String method(@RequestParam String client) {
			return "done";
		}

	}

}
