package io.github.ratelimit.compatibility.recipes;

import java.net.http.HttpResponse;
import java.util.List;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tenants are counted apart. The example {@code tenants} has users with tokens.
 */
@OnNewestLine
class RecipeTenantTests {

	@Test
	void requestWithoutATokenIsToldWhatIsMissing() {
		try (Server server = RecipeServer.start(RecipeServer.AutoConfigured.class, "tenant-claim.yml")) {
			HttpResponse<String> answer = server.post("/api/reports");
			assertThat(answer.statusCode()).isEqualTo(400);
			assertThat(answer.body()).contains("\"claim tenant\"");
		}
	}

	@Test
	void countsTenantsOfThePathApart() {
		try (Server server = RecipeServer.start(RecipeServer.AutoConfigured.class, "tenant-path.yml")) {
			assertThat(server.statuses(2, "/t/acme/reports")).isEqualTo(List.of(404, 404));
			assertThat(server.statuses(1, "/t/globex/reports")).isEqualTo(List.of(404));
			RateLimiter tenants = server.bean(RateLimiterRegistry.class).limiter("tenant");
			assertThat(tenants.peek("acme").remaining()).isEqualTo(998);
			assertThat(tenants.peek("globex").remaining()).isEqualTo(999);
		}
	}

}
