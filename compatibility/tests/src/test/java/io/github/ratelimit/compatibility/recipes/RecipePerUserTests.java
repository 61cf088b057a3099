package io.github.ratelimit.compatibility.recipes;

import java.util.List;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipePerUserTests {

	@Test
	@EnabledIf("io.github.ratelimit.compatibility.recipes.RecipeServer#isServlet")
	void countsUsersApartAndStrangersByAddress() {
		try (Server server = RecipeServer.start(Application.class, "")) {
			assertThat(server.statuses(6, "/comments?as=ann")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
			assertThat(server.statuses(1, "/comments?as=bob")).isEqualTo(List.of(200));
			assertThat(server.statuses(6, "/comments")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
		}
	}

	@Import({ CommentController.class, ParameterLogin.class })
	static class Application {

	}

}
