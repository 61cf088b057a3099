package io.github.ratelimit.compatibility;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A limited method that returns a stage runs on the thread of its request, as without
 * limits, so the code it calls has access to the security context and the request.
 */
@OnOuterLines
@Tag("security")
class SecuredStageTests {

	@AutoClose
	private static final RedisProcess redis = RedisProcess.start();

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void methodsItCallsKnowTheUserAndTheRequest(String store) {
		try (Server server = start(store)) {
			assertThat(server.postAs("editor", "/stage").body()).isEqualTo("edited known");
			assertThat(server.postAs("laoqian", "/stage").statusCode()).isEqualTo(403);
			assertThat(server.remaining("address", "127.0.0.1")).isEqualTo(4);
		}
	}

	private static Server start(String store) {
		return Server.start(WebApplicationType.SERVLET, Application.class, "ratelimit.store=" + store,
				"spring.data.redis.port=" + redis.port());
	}

	@Import({ SecuredApplication.OnServlet.class, Articles.class, Addresses.class, ArticleController.class })
	static class Application {

	}

	@RestController
	static class ArticleController {

		private final Articles articles;

		private final Addresses addresses;

		ArticleController(Articles articles, Addresses addresses) {
			this.articles = articles;
			this.addresses = addresses;
		}

		@PostMapping("/stage")
		@RateLimited(name = "stage", max = 100, period = 60)
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture(this.articles.edit() + ' ' + this.addresses.call());
		}

	}

	static class Articles {

		@PreAuthorize("hasRole('EDITOR')")
		public String edit() {
			return "edited";
		}

	}

	static class Addresses {

		@RateLimited(name = "address", key = "ip", max = 5, period = 60)
		public String call() {
			return "known";
		}

	}

}
