package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.compatibility.OnOuterLines;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@OnOuterLines
class RecipeListenerTests {

	@Test
	void listenerThreadWaitsAndNoOrderFails() {
		try (Server server = RecipeServer.start(Application.class, "")) {
			OrderListener listener = server.bean(OrderListener.class);
			List<String> orders = List.of("1", "2", "3", "4", "5", "6");
			long start = System.nanoTime();
			orders.forEach(listener::onOrder);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(99));
			assertThat(server.bean(OrderService.class).booked()).isEqualTo(orders);
		}
	}

	@Import({ OrderListener.class, OrderService.class })
	static class Application {

	}

}
