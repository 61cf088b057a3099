package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.adaptive.LoadSignal;
import io.github.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Application under test. Its properties demand a Redis that does not run.
 */
@SpringBootApplication(proxyBeanMethods = false)
class ForumApplication {

	@Bean
	Occupancy occupancy() {
		return new Occupancy();
	}

	/**
	 * Load signal that tests set.
	 */
	static final class Occupancy implements LoadSignal {

		private volatile double value;

		void set(double changed) {
			this.value = changed;
		}

		@Override
		public double value() {
			return this.value;
		}

	}

	@RestController
	static class ReplyController {

		@PostMapping("/replies")
		@RateLimited(name = "reply", key = "#userId")
		String reply(String userId) {
			return "posted";
		}

	}

	@Service
	static class ExportService {

		private final RateLimitClock clock;

		ExportService(RateLimitClock clock) {
			this.clock = clock;
		}

		@RateLimited("export")
		Instant export() {
			return this.clock.instant();
		}

		@RateLimited(name = "export-later", algorithm = io.github.ratelimit.Algorithm.LEAKY_BUCKET, max = 5, period = 1,
				maxWait = "2s")
		CompletableFuture<Instant> exportLater() {
			return CompletableFuture.completedFuture(this.clock.instant());
		}

		@RateLimited(name = "export-mono", algorithm = io.github.ratelimit.Algorithm.LEAKY_BUCKET, max = 5, period = 1,
				maxWait = "2s")
		Mono<Instant> exportReactively() {
			return Mono.fromSupplier(this.clock::instant);
		}

		static Duration turn() {
			return Duration.ofMillis(200);
		}

	}

}
