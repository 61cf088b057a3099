package io.github.ratelimit.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged forum, processed ahead of time, in a JVM of its own.
 */
@Tag("in-ci")
@Tag("ahead-of-time")
@Timeout(300)
class AheadOfTimeTests {

	@AutoClose
	private static final PackagedForum forum = PackagedForum.start("-Dspring.aot.enabled=true");

	@Test
	void runsTheClassesThatTheBuildHasGenerated() {
		assertThat(forum.log()).contains("Starting AOT-processed ForumApplication")
			.contains("counted in Redis, together by all instances");
	}

	@Test
	void deniesSixthReplyWithinAMinute() {
		List<HttpResponse<String>> replies = Stream.generate(() -> forum.client().reply("laoqian")).limit(6).toList();
		assertThat(replies.stream().map(HttpResponse::statusCode)).containsExactly(200, 200, 200, 200, 200, 429);
		HttpResponse<String> sixth = replies.get(5);
		assertThat(sixth.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 60L);
		assertThat(sixth.headers().firstValue("RateLimit").orElseThrow())
			.startsWith("\"reply-controller-reply\";r=0;t=");
		assertThat(sixth.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(sixth.body()).contains("\"status\":429").doesNotContain("laoqian");
	}

	@Test
	void limitsSearchByTheRuleInApplicationYml() {
		HttpResponse<String> search = forum.client().search("laoqian");
		assertThat(search.statusCode()).isEqualTo(200);
		assertThat(search.headers().firstValue("RateLimit-Policy")).hasValue("\"search\";q=30;w=60");
	}

	@Test
	void playgroundAnswers() {
		assertThat(forum.client().get("/").body()).contains("playground/main.js");
		HttpResponse<String> load = forum.client().put("/playground/load", "value=0.5");
		assertThat(load.statusCode()).as(load.body()).isEqualTo(204);
	}

}
