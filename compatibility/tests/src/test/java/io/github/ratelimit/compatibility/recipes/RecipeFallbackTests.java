package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipeFallbackTests {

	@Test
	void deniedCallGetsTheLatestPriceIfThereIsOne() {
		try (Server server = RecipeServer.start(PriceController.class, "")) {
			assertThat(server.post("/prices?share=acme").body()).isEqualTo("42.00 now");
			HttpResponse<String> denied = server.post("/prices?share=acme");
			assertThat(denied.statusCode()).isEqualTo(200);
			assertThat(denied.body()).isEqualTo("42.00 a moment ago");
			server.bean(RateLimiterRegistry.class).limiter("price").tryAcquire("none");
			assertThat(server.post("/prices?share=none").statusCode()).isEqualTo(429);
		}
	}

}
