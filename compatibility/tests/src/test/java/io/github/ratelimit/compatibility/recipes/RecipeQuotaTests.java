package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeQuotaTests {

	private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

	@Test
	void quotaEndsWithTheMonthInTheZone() {
		try (Server server = RecipeServer.start(Application.class, "quota.yml", "ratelimit.rules.quota.max=2")) {
			HttpResponse<String> first = server.post("/downloads?tenant=acme");
			assertThat(first.statusCode()).isEqualTo(200);
			assertThat(first.headers().firstValue("RateLimit-Policy")).hasValue("\"quota\";q=2");
			assertThat(server.statuses(2, "/downloads?tenant=acme")).isEqualTo(List.of(200, 429));
			assertThat(server.statuses(1, "/downloads?tenant=other")).isEqualTo(List.of(200));
			HttpResponse<String> denied = server.post("/downloads?tenant=acme");
			assertThat(denied.body()).contains("\\\"quota\\\" admits 2 per month");
			long seconds = Long.parseLong(denied.headers().firstValue("Retry-After").orElseThrow());
			ZonedDateTime next = LocalDate.now(PARIS)
				.withDayOfMonth(1)
				.plusMonths(1)
				.atTime(LocalTime.MIN)
				.atZone(PARIS);
			assertThat(Duration.ofSeconds(seconds)).isCloseTo(Duration.between(ZonedDateTime.now(PARIS), next),
					Duration.ofMinutes(1));
		}
	}

	@Test
	void eachCustomerHasAMonthOfTheOwnZone() {
		try (Server server = RecipeServer.start(Application.class, "")) {
			assertThat(server.statuses(4, "/reports?tenant=acme")).isEqualTo(List.of(200, 200, 200, 429));
			assertThat(server.statuses(1, "/reports?tenant=paris")).isEqualTo(List.of(200));
			assertThat(server.post("/reports?tenant=acme").body()).contains("report-america-new-york");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ QuotaController.class, Customers.class })
	static class Application {

	}

}
