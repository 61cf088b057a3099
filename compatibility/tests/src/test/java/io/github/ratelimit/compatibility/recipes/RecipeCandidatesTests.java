package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeCandidatesTests {

	private static final String REPLY = "/actuator/ratelimits/reply";

	@Test
	void tighterLimitIsTriedAndAdopted() {
		try (Server server = RecipeServer.start(RecipeServer.AutoConfigured.class, "candidates.yml",
				"management.endpoints.web.exposure.include=ratelimits")) {
			for (int i = 0; i < 7; i++) {
				assertThat(server.post("/replies", "X-User", "ann").statusCode()).isEqualTo(404);
			}
			assertThat(server.get(REPLY + "?candidates", "Accept", "application/json").body()).contains(
					"\"name\":\"tight\"", "\"max\":5", "\"calls\":7", "\"denied\":2", "\"deniedKeys\":1",
					"\"liveDenied\":0");
			assertThat(server.postJson(REPLY, "{\"candidate\": \"mid\", \"max\": 7}").body())
				.contains("\"name\":\"mid\"");
			assertThat(server.delete(REPLY + "?candidate=mid", "Accept", "application/json").body())
				.doesNotContain("\"name\":\"mid\"");
			assertThat(server.postJson(REPLY, "{\"adopt\": \"tight\"}").statusCode()).isEqualTo(200);
			assertThat(server.post("/replies", "X-User", "ann").statusCode()).isEqualTo(429);
			assertThat(server.postJson(REPLY, "{\"adopt\": \"loose\"}").statusCode()).isEqualTo(400);
		}
	}

}
