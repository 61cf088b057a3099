package io.github.ratelimit.compatibility.recipes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.ratelimit.compatibility.OnOuterLines;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.LimitedApi;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.io.ClassPathResource;
import org.springframework.web.client.HttpClientErrorException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@OnOuterLines
class RecipeOutgoingTests {

	@TempDir
	Path folder;

	@Test
	void requestsStopUntilTheApiAdmitsThemAgain() throws IOException {
		try (LimitedApi api = new LimitedApi(2, "30");
				Server server = RecipeServer.start(IssueClient.class, "", "github.url=" + api.url(),
						"spring.config.import=" + configuration().toUri())) {
			IssueClient issues = server.bean(IssueClient.class);
			assertThat(issues.issue(1)).isEqualTo("{}");
			assertThat(issues.issue(2)).isEqualTo("{}");
			assertThatExceptionOfType(HttpClientErrorException.TooManyRequests.class).isThrownBy(() -> issues.issue(3));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> issues.issue(4));
			assertThat(api.requests()).isEqualTo(3);
			assertThat(server.bean(RateLimiterRegistry.class).limiter("github").overrides()).containsOnlyKeys("");
		}
	}

	/**
	 * Return the configuration of the recipe for a server of this machine.
	 */
	private Path configuration() throws IOException {
		String yaml = new ClassPathResource("recipes/outgoing.yml").getContentAsString(StandardCharsets.UTF_8);
		return Files.writeString(this.folder.resolve("outgoing.yml"), yaml.replace("api.github.com", "localhost"));
	}

}
