package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.LimitedApi;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.HttpClientErrorException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecipeOutgoingTests {

	@Test
	void requestsStopUntilTheApiAdmitsThemAgain() {
		try (LimitedApi api = new LimitedApi(2, "30");
				Server server = RecipeServer.start(Application.class, "outgoing.yml", "github.url=" + api.url(),
						"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=github")) {
			IssueClient issues = server.bean(IssueClient.class);
			assertThat(issues.issue(1)).isEqualTo("{}");
			assertThat(issues.issue(2)).isEqualTo("{}");
			assertThatExceptionOfType(HttpClientErrorException.TooManyRequests.class).isThrownBy(() -> issues.issue(3));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> issues.issue(4));
			assertThat(api.requests()).isEqualTo(3);
			assertThat(server.bean(RateLimiterRegistry.class).limiter("github").overrides()).containsOnlyKeys("");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(IssueClient.class)
	static class Application {

	}

}
