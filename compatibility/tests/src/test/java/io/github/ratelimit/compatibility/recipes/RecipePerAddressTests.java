package io.github.ratelimit.compatibility.recipes;

import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipePerAddressTests {

	@Test
	void annotationCountsByAddress() {
		try (Server server = RecipeServer.start(FeedbackController.class, "")) {
			assertThat(server.statuses(4, "/feedback")).isEqualTo(List.of(200, 200, 200, 429));
		}
	}

	@Test
	void ruleForAPathCountsByAddressForAllHandlers() {
		try (Server server = RecipeServer.start(FeedbackController.class, "per-address.yml")) {
			// a token may come back while a slow machine calls
			assertThat(server.statuses(12, "/api/nowhere")).startsWith(404, 404, 404, 404, 404).contains(429);
			assertThat(server.post("/feedback").statusCode()).isEqualTo(200);
		}
	}

}
