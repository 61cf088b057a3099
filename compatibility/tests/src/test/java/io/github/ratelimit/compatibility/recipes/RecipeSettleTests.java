package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeSettleTests {

	@Test
	void countsTheTokensOfAnAnswer() {
		try (Server server = RecipeServer.start(Application.class, "", "ratelimit.rules.tokens.period=365d")) {
			assertThat(server.post("/questions?tenant=acme&question=200").statusCode()).isEqualTo(200);
			assertThat(remaining(server, "tokens", "acme")).isEqualTo(99_800);
			assertThat(server.post("/questions?tenant=acme&question=many").statusCode()).isEqualTo(500);
			assertThat(remaining(server, "tokens", "acme")).isEqualTo(98_799);
		}
	}

	private static long remaining(Server server, String rule, String key) {
		return server.bean(RateLimiterRegistry.class).limiter(rule).peek(key).remaining();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ QuestionController.class, LanguageModel.class, UploadController.class })
	static class Application {

	}

}
