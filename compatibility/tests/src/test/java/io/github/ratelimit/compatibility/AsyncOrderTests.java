package io.github.ratelimit.compatibility;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asynchronous execution comes before limiting, as Spring orders it before all other
 * advice.
 */
@OnOuterLines
class AsyncOrderTests {

	@Test
	void anAsynchronousCallIsDecidedOnTheThreadItRunsOn() {
		try (Server application = Server.startLocal(Asynchronous.class)) {
			String thread = application.bean(Reports.class).write().join();
			assertThat(thread).isNotEqualTo(Thread.currentThread().getName());
			assertThat(application.remaining("reports", thread)).isEqualTo(1);
		}
	}

	@EnableAsync
	@Import(Reports.class)
	static class Asynchronous {

	}

	static class Reports {

		@Async
		@RateLimited(name = "reports", key = "T(Thread).currentThread().name", max = 2, period = 60)
		public CompletableFuture<String> write() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

	}

}
