package io.github.ratelimit.compatibility.recipes;

import java.util.List;

import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class RecipePlansTests {

	@Test
	void conditionsChooseTheRule() {
		try (Server server = RecipeServer.start(Application.class, "plans.yml")) {
			assertThat(server.statuses(3, "/search?tenant=tiny")).isEqualTo(List.of(200, 200, 429));
			assertThat(server.statuses(5, "/search?tenant=acme")).isEqualTo(List.of(200, 200, 200, 200, 429));
		}
	}

	@Test
	void programsChooseTheRuleAndTheCost() {
		try (Server server = RecipeServer.start(Application.class, "plans.yml")) {
			assertThat(server.post("/imports?tenant=tiny&rows=60").headers().firstValue("RateLimit")).isEmpty();
			assertThat(server.statuses(1, "/imports?tenant=tiny&rows=60")).isEqualTo(List.of(429));
			assertThat(server.post("/imports?tenant=tiny&rows=60").headers().firstValue("Retry-After")).isPresent();
			assertThat(server.statuses(2, "/imports?tenant=acme&rows=4000")).isEqualTo(List.of(200, 200));
			assertThat(server.post("/imports?tenant=tiny&rows=101").headers().firstValue("Retry-After")).isEmpty();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Plans.class, SearchController.class, ImportController.class })
	static class Application {

	}

}
