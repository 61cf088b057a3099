package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeSettleTests {

	@AutoClose
	private static final Server server = RecipeServer.start(Application.class, "", "ratelimit.rules.tokens.period=365d",
			"ratelimit.rules.upload-bytes.period=365d", "ratelimit.rules.upload-bytes.max=1000000");

	@Test
	void countsTheTokensOfAnAnswer() {
		assertThat(server.post("/questions?tenant=acme&question=200").statusCode()).isEqualTo(200);
		assertThat(remaining("tokens", "acme")).isEqualTo(99_800);
		assertThat(server.post("/questions?tenant=acme&question=many").statusCode()).isEqualTo(500);
		assertThat(remaining("tokens", "acme")).isEqualTo(98_799);
	}

	@Test
	@EnabledIf("io.github.ratelimit.compatibility.recipes.RecipeServer#isServlet")
	void countsTheBytesOfAnUpload() {
		assertThat(server.postJson("/uploads", "12345").body()).isEqualTo("5");
		assertThat(remaining("upload-bytes", "127.0.0.1")).isEqualTo(999_995);
	}

	private static long remaining(String rule, String key) {
		return server.bean(RateLimiterRegistry.class).limiter(rule).peek(key).remaining();
	}

	@Import({ QuestionController.class, LanguageModel.class, UploadController.class })
	static class Application {

	}

}
