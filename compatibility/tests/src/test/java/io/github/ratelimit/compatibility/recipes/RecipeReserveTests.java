package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeReserveTests {

	@Test
	void countsTheTokensOfAnAnswer() {
		try (Server server = RecipeServer.start(Application.class, "", "ratelimit.rules.tokens.algorithm=token-bucket",
				"ratelimit.rules.tokens.max=100000", "ratelimit.rules.tokens.period=365d")) {
			assertThat(server.post("/stories?tenant=acme&question=200").statusCode()).isEqualTo(200);
			assertThat(remaining(server)).isEqualTo(99_800);
			assertThat(server.post("/stories?tenant=acme&question=many").statusCode()).isEqualTo(500);
			assertThat(remaining(server)).isEqualTo(95_800);
			assertThat(server.post("/stories?tenant=acme&question=150000").statusCode()).isEqualTo(200);
			assertThat(remaining(server)).isZero();
			assertThat(server.post("/stories?tenant=acme&question=1").statusCode()).isEqualTo(429);
		}
	}

	private static long remaining(Server server) {
		return server.bean(RateLimiterRegistry.class).limiter("tokens").peek("acme").remaining();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ StoryController.class, LanguageModel.class })
	static class Application {

	}

}
