package io.github.ratelimit.compatibility.recipes;

import java.util.Collections;
import java.util.List;

import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class RecipeLoginTests {

	@Test
	void countsFailuresOnly() {
		try (Server server = RecipeServer.start(Application.class, "")) {
			String right = "/login?user=ann&password=ann123";
			String wrong = "/login?user=ann&password=guess";
			assertThat(server.statuses(8, right)).isEqualTo(Collections.nCopies(8, 200));
			assertThat(server.statuses(4, wrong)).isEqualTo(Collections.nCopies(4, 401));
			assertThat(server.statuses(3, right)).isEqualTo(Collections.nCopies(3, 200));
			assertThat(server.statuses(2, wrong)).isEqualTo(List.of(401, 429));
			assertThat(server.post(right).statusCode()).isEqualTo(429);
			assertThat(server.post("/login?user=bob&password=bob123").statusCode()).isEqualTo(200);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LoginController.class)
	static class Application {

	}

}
