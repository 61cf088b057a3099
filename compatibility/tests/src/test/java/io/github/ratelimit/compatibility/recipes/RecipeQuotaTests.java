package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@OnNewestLine
class RecipeQuotaTests {

	private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

	@AutoClose
	private static final Server server = RecipeServer.start(Application.class, "quota.yml");

	@Test
	void quotaEndsWithTheMonthInTheZone() {
		HttpHeaders headers = server.post("/downloads?tenant=acme").headers();
		assertThat(headers.firstValue("RateLimit-Policy")).hasValue("\"quota\";q=1000");
		String limit = headers.firstValue("RateLimit").orElseThrow();
		assertThat(limit).startsWith("\"quota\";r=999;t=");
		assertThat(limit.substring(limit.indexOf("t=") + 2)).satisfies(endsWithAMonth(PARIS, 1));
	}

	@Test
	void eachCustomerHasAMonthOfTheOwnZone() {
		assertThat(server.statuses(4, "/reports?tenant=acme")).isEqualTo(List.of(200, 200, 200, 429));
		assertThat(server.statuses(1, "/reports?tenant=other")).isEqualTo(List.of(200));
		HttpResponse<String> denied = server.post("/reports?tenant=acme");
		assertThat(denied.body()).contains("\\\"report\\\" admits 3 per month");
		assertThat(denied.headers().firstValue("Retry-After").orElseThrow())
			.satisfies(endsWithAMonth(ZoneId.of("America/New_York"), 15));
	}

	private static ThrowingConsumer<String> endsWithAMonth(ZoneId zone, int firstDay) {
		ZonedDateTime now = ZonedDateTime.now(zone);
		ZonedDateTime begun = now.toLocalDate().minusDays(firstDay - 1).withDayOfMonth(firstDay).atStartOfDay(zone);
		long seconds = Duration.between(now, begun.plusMonths(1)).toSeconds();
		return (text) -> assertThat(Long.parseLong(text)).isCloseTo(seconds, within(60L));
	}

	@Import({ QuotaController.class, Customers.class })
	static class Application {

	}

}
