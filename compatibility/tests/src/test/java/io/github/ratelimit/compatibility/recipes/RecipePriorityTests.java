package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@OnNewestLine
class RecipePriorityTests {

	@Test
	void crawlersAreDeniedFirstAndTheCheckoutLast() {
		try (Server server = RecipeServer.start(Clients.class, "priority.yml")) {
			assertThat(admitted(server, "/shop/products", "bot")).isEqualTo(50);
			assertThat(admitted(server, "/shop/products", "browser")).isEqualTo(40);
			assertThat(admitted(server, "/shop/checkout", "browser")).isEqualTo(10);
		}
	}

	/**
	 * Return the number of requests before the first denied one. No handler serves the
	 * admitted ones.
	 */
	private static int admitted(Server server, String path, String userAgent) {
		int admitted = 0;
		while (server.post(path, "User-Agent", userAgent).statusCode() == 404) {
			admitted++;
		}
		return admitted;
	}

}
