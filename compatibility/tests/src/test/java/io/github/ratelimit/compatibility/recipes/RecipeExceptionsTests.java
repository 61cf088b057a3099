package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeExceptionsTests {

	@Test
	void partnerHasOtherNumbersForAWeek() {
		try (Server server = RecipeServer.start(ReportController.class, "")) {
			assertThat(server.statuses(3, "/reports?tenant=acme")).isEqualTo(List.of(200, 200, 429));
			assertThat(server.statuses(1, "/exceptions?tenant=acme")).containsOnly(200);
			assertThat(server.statuses(9, "/reports?tenant=acme")).containsOnly(200);
			assertThat(server.statuses(3, "/reports?tenant=other")).endsWith(429);
			RateLimiter reports = server.bean(RateLimiterRegistry.class).limiter("reports");
			KeyOverride granted = reports.overrides().get("acme");
			assertThat(granted.until()).isBetween(Instant.now().plus(Duration.ofDays(7)).minusSeconds(60),
					Instant.now().plus(Duration.ofDays(7)));
			assertThat(reports.removeOverride("acme")).isTrue();
			assertThat(server.statuses(1, "/reports?tenant=acme")).containsOnly(429);
		}
	}

	@Test
	void healthCheckIsNeverLimited() {
		try (Server server = RecipeServer.start(ReportController.class, "health-check.yml",
				"server.forward-headers-strategy=framework")) {
			for (int i = 0; i < 200; i++) {
				assertThat(server.post("/health", "X-Forwarded-For", "10.1.2.3").statusCode()).isEqualTo(404);
			}
			assertThat(server.post("/health", "X-Forwarded-For", "203.0.113.9").statusCode()).isEqualTo(429);
			for (int i = 0; i < 100; i++) {
				assertThat(server.post("/health", "X-Forwarded-For", "192.0.2.1").statusCode()).isEqualTo(404);
			}
			assertThat(server.post("/health", "X-Forwarded-For", "192.0.2.1").statusCode()).isEqualTo(429);
		}
	}

	@Test
	void pathOfTheHealthCheckIsNeverLimited() {
		try (Server server = RecipeServer.start(ReportController.class, "health-path.yml")) {
			for (int i = 0; i < 101; i++) {
				assertThat(server.post("/actuator/health").statusCode()).isNotEqualTo(429);
			}
			assertThat(server.statuses(101, "/other")).startsWith(404).endsWith(429);
		}
	}

}
