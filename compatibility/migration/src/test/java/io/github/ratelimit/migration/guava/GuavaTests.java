package io.github.ratelimit.migration.guava;

import java.time.Duration;

import io.github.ratelimit.migration.Instance;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class GuavaTests {

	/**
	 * Guava stores the units of up to one idle second, here 50, and admits them at once.
	 */
	@Test
	void bothDelayCallsUntilTheirTurn() {
		try (Instance instance = Instance.start(Application.class, "guava/after.yml")) {
			GuavaExports before = instance.bean(GuavaExports.class);
			LimitedExports after = instance.bean(LimitedExports.class);
			assertThat(duration(60, () -> before.export("acme"))).isGreaterThan(Duration.ofMillis(150));
			assertThat(duration(10, () -> after.export("acme"))).isGreaterThan(Duration.ofMillis(150));
		}
	}

	private static Duration duration(int calls, Runnable call) {
		long start = System.nanoTime();
		for (int i = 0; i < calls; i++) {
			call.run();
		}
		return Duration.ofNanos(System.nanoTime() - start);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ GuavaExports.class, LimitedExports.class })
	static class Application {

	}

}
