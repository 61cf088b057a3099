package io.github.ratelimit.compatibility.recipes;

import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipePlansTests {

	@AutoClose
	private static final Server server = RecipeServer.start(Application.class, "plans.yml",
			"management.endpoints.web.exposure.include=ratelimits");

	@Test
	void planOfATenantGivesTheNumbers() {
		assertThat(server.statuses(3, "/search?tenant=tiny")).isEqualTo(List.of(200, 200, 429));
		assertThat(server.statuses(5, "/search?tenant=acme")).isEqualTo(List.of(200, 200, 200, 200, 200));
		assertThat(server.statuses(3, "/search?tenant=new")).isEqualTo(List.of(200, 200, 200));
	}

	@Test
	void tenantWhoChangesThePlanKeepsTheCount() {
		Plans plans = server.bean(Plans.class);
		plans.book("growing", "free");
		server.statuses(2, "/search?tenant=growing");
		plans.book("growing", "pro");
		assertThat(server.post("/search?tenant=growing").headers().firstValue("RateLimit").orElseThrow())
			.startsWith("\"search\";r=597;");
		plans.book("growing", "free");
		assertThat(server.statuses(1, "/search?tenant=growing")).isEqualTo(List.of(429));
	}

	@Test
	void programsChooseThePlan() {
		assertThat(server.post("/imports?tenant=tiny&rows=60").headers().firstValue("RateLimit")).isEmpty();
		assertThat(server.statuses(1, "/imports?tenant=tiny&rows=60")).isEqualTo(List.of(429));
		assertThat(server.post("/imports?tenant=tiny&rows=60").headers().firstValue("Retry-After")).isPresent();
		assertThat(server.statuses(2, "/imports?tenant=acme&rows=4000")).isEqualTo(List.of(200, 200));
		assertThat(server.post("/imports?tenant=tiny&rows=101").headers().firstValue("Retry-After")).isEmpty();
	}

	@Test
	void contractOfATenantGivesTheNumbers() {
		assertThat(server.statuses(4, "/reports?tenant=acme")).isEqualTo(List.of(200, 200, 200, 429));
		assertThat(server.statuses(2, "/reports?tenant=tiny")).isEqualTo(List.of(200, 429));
	}

	@Test
	void explanationTellsThatAContractMayGiveOtherNumbers() {
		assertThat(server.get("/actuator/ratelimits/reports/acme?explain&plan=acme").body()).contains(
				"A call may come with other numbers, by the plan @contracts.of(#tenant), which is not evaluated here.")
			.doesNotContain("no plan acme");
	}

	@Import({ Plans.class, Contracts.class, SearchController.class, ImportController.class })
	static class Application {

	}

}
