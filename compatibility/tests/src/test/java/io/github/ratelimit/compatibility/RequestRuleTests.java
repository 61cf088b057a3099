package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rule for requests by URL, on real servers.
 */
@OnOuterLines
class RequestRuleTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void limitsRequestsOfAllHandlers(WebApplicationType type) {
		Server server = server(type);
		assertThat(server.post("/api/replies").headers().allValues("RateLimit")).containsExactly("\"api\";r=1;t=60");
		assertThat(server.statuses(2, "/api/nowhere")).isEqualTo(List.of(404, 429));
		HttpResponse<String> denied = server.post("/api/replies");
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 60L);
		assertThat(denied.headers().allValues("RateLimit-Policy")).containsExactly("\"api\";q=2;w=60");
		assertThat(denied.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
		Json problem = Json.of(denied.body());
		assertThat(problem.text("type")).isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
		assertThat(problem.text("status")).isEqualTo("429");
		assertThat(problem.text("instance")).isEqualTo("/api/replies");
		assertThat(problem.text("violated-policies")).isEqualTo("[\"api\"]");
		assertThat(server.post("/other").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, /api/failing, 500", "REACTIVE, /api/failing, 500", "SERVLET, /api/async, 200" })
	void takesOnceFromARequestThatFailsOrGoesOnLater(WebApplicationType type, String path, int status) {
		Server server = server(type);
		assertThat(server.statuses(3, path)).isEqualTo(List.of(status, status, 429));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void countsByTheTimeZoneThatARequestSelects(WebApplicationType type) {
		Server server = server(type);
		assertThat(secondsLeft(server, offsetAt(6))).isBetween(16 * 3600L, 18 * 3600L);
		assertThat(secondsLeft(server, offsetAt(18))).isBetween(4 * 3600L, 6 * 3600L);
	}

	private static long secondsLeft(Server server, ZoneOffset zone) {
		String limit = server.post("/zoned", "X-Zone", zone.getId()).headers().firstValue("RateLimit").orElseThrow();
		return Long.parseLong(limit.substring(limit.indexOf("t=") + 2));
	}

	/**
	 * Return a zone in which it is some hour now.
	 */
	private static ZoneOffset offsetAt(int hour) {
		int offset = Math.floorMod(hour - LocalTime.now(ZoneOffset.UTC).getHour(), 24);
		return ZoneOffset.ofHours((offset > 14) ? offset - 24 : offset);
	}

	private static Server server(WebApplicationType type) {
		return SERVERS
			.get(type, ApiController.class, "ratelimit.store=local", "ratelimit.rules.api.max=2",
					"ratelimit.rules.api.period=60", "ratelimit.web.requests[0].path=/**",
					"ratelimit.web.requests[0].methods=GET", "ratelimit.web.requests[0].rule=api",
					"ratelimit.web.requests[1].path=/api/**", "ratelimit.web.requests[1].methods=POST",
					"ratelimit.web.requests[1].rule=api", "ratelimit.web.requests[1].key=ip",
					"ratelimit.rules.zoned.max=9", "ratelimit.rules.zoned.calendar=day",
					"ratelimit.rules.zoned.zone=header('X-Zone')", "ratelimit.web.requests[2].path=/zoned",
					"ratelimit.web.requests[2].rule=zoned", "ratelimit.web.requests[2].key=header('X-Zone')")
			.reset("127.0.0.1");
	}

	@RestController
	static class ApiController {

		@PostMapping("/api/replies")
		String reply() {
			return "replied";
		}

		@PostMapping("/api/failing")
		String fail() {
			throw new IllegalStateException("failing");
		}

		@PostMapping("/api/async")
		Callable<String> async() {
			return () -> "later";
		}

	}

}
