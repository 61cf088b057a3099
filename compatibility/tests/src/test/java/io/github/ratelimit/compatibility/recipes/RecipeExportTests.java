package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.github.ratelimit.compatibility.OnNewestLine;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@OnNewestLine
class RecipeExportTests {

	@Test
	void threeExportsOfATenantRunAtOnce() throws InterruptedException {
		try (Server server = RecipeServer.start(Application.class, "export.yml")) {
			ExportService service = server.bean(ExportService.class);
			RateLimiter limiter = server.bean(RateLimiterRegistry.class).limiter("export");
			Running running = server.bean(Running.class);
			ExecutorService threads = Executors.newCachedThreadPool();
			List<CompletableFuture<String>> exports = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				exports.add(CompletableFuture.supplyAsync(() -> service.export("acme"), threads));
			}
			assertThat(running.begun.await(1, TimeUnit.MINUTES)).isTrue();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.export("acme"))
				.satisfies((denial) -> {
					Decision decision = denial.decision();
					assertThat(decision.violated()).containsExactly("export-running");
					assertThat(decision.retryAfter()).isZero();
				});
			running.ended.countDown();
			assertThat(exports)
				.allSatisfy((export) -> assertThat(export).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("acme.csv"));
			threads.shutdown();
			assertThat(service.export("acme")).isEqualTo("acme.csv");
			assertThatIllegalStateException().isThrownBy(() -> service.export("broken"));
			assertThat(limiter.peek("broken").limits().get(0).remaining()).isEqualTo(3);
			assertThat(limiter.peek("acme").limits()).satisfiesExactly((slots) -> {
				assertThat(slots.remaining()).isEqualTo(3);
				assertThat(slots.period()).isZero();
			}, (day) -> {
				assertThat(day.remaining()).isEqualTo(46);
				assertThat(day.period()).isEqualTo(Duration.ofDays(1));
			});
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(ExportService.class)
	static class Application {

		@Bean
		Running running() {
			return new Running();
		}

	}

	/**
	 * Exports that run until the test lets them end.
	 */
	static class Running implements UnaryOperator<String> {

		private final CountDownLatch begun = new CountDownLatch(3);

		private final CountDownLatch ended = new CountDownLatch(1);

		@Override
		public String apply(String tenant) {
			if (tenant.equals("broken")) {
				throw new IllegalStateException(tenant);
			}
			this.begun.countDown();
			try {
				this.ended.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return tenant + ".csv";
		}

	}

}
