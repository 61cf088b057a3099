package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Application whose limited methods return asynchronous results, which callers await or
 * not.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ StageApplication.Outbox.class, StageApplication.Mails.class, StageApplication.Addresses.class,
		StageApplication.MailController.class })
class StageApplication {

	@RestController
	static class MailController {

		private final Mails mails;

		private final Outbox outbox;

		MailController(Mails mails, Outbox outbox) {
			this.mails = mails;
			this.outbox = outbox;
		}

		@PostMapping("/stage")
		public String startStage() {
			this.mails.stage().whenComplete(this.outbox::ended);
			return "started";
		}

		@PostMapping("/delayed-stage")
		public String startDelayedStage() {
			this.mails.delayedStage().whenComplete(this.outbox::ended);
			return "started";
		}

		@PostMapping("/mono")
		public String startMono() {
			this.mails.mono().toFuture().whenComplete(this.outbox::ended);
			return "started";
		}

		@PostMapping("/delayed-mono")
		public String startDelayedMono() {
			this.mails.delayedMono().toFuture().whenComplete(this.outbox::ended);
			return "started";
		}

		@PostMapping("/delayed-by-address")
		public String startDelayedByAddress() {
			this.mails.delayedByAddress().whenComplete(this.outbox::ended);
			return "started";
		}

		@PostMapping("/copied")
		public String startWithCopiedRequest() {
			RequestAttributes request = RequestContextHolder.currentRequestAttributes();
			this.outbox.whenReleased(() -> {
				RequestContextHolder.setRequestAttributes(request);
				try {
					return this.mails.plain();
				}
				finally {
					RequestContextHolder.resetRequestAttributes();
				}
			});
			return "started";
		}

		@PostMapping("/blocking-mono")
		@RateLimited(name = "blocking", max = 1000, period = 60)
		public Mono<String> blockingMono() {
			return Mono.just(Mono.delay(Duration.ofMillis(1)).thenReturn("blocked").block());
		}

		@PostMapping("/blocking-delayed-mono")
		@RateLimited(name = "blocking-delayed", max = 100, period = 1, maxWait = "10s",
				algorithm = Algorithm.LEAKY_BUCKET)
		public Mono<String> blockingDelayedMono() {
			return Mono.just(Mono.delay(Duration.ofMillis(1)).thenReturn("blocked").block());
		}

		@PostMapping("/address-of-mono")
		@RateLimited(name = "outer", max = 1000, period = 60)
		public Mono<String> addressOfMono() {
			return Mono.fromSupplier(this.mails::byAddress);
		}

		@PostMapping("/address-of-stage")
		@RateLimited(name = "outer", max = 1000, period = 60)
		public CompletableFuture<String> addressOfStage() {
			return CompletableFuture.completedFuture(this.mails.byAddress());
		}

	}

	static class Mails {

		private final Addresses addresses;

		private final Outbox outbox;

		Mails(Addresses addresses, Outbox outbox) {
			this.addresses = addresses;
			this.outbox = outbox;
		}

		@RateLimited(name = "stage", max = 10_000, period = 60)
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture(this.outbox.send());
		}

		@RateLimited(name = "delayed-stage", max = 500, period = 1, maxWait = "20s", algorithm = Algorithm.LEAKY_BUCKET)
		public CompletableFuture<String> delayedStage() {
			return CompletableFuture.completedFuture(this.outbox.send());
		}

		@RateLimited(name = "plain", max = 10_000, period = 60)
		public String plain() {
			return this.outbox.send();
		}

		@RateLimited(name = "mono", max = 10_000, period = 60)
		public Mono<String> mono() {
			return Mono.fromSupplier(this.outbox::send);
		}

		@RateLimited(name = "delayed-mono", max = 500, period = 1, maxWait = "20s", algorithm = Algorithm.LEAKY_BUCKET)
		public Mono<String> delayedMono() {
			return Mono.fromSupplier(this.outbox::send);
		}

		@RateLimited(name = "slow", max = 4, period = 1, maxWait = "20s", algorithm = Algorithm.LEAKY_BUCKET)
		public CompletableFuture<String> delayedByAddress() {
			return CompletableFuture.completedFuture(this.addresses.call());
		}

		String byAddress() {
			return this.addresses.call();
		}

	}

	/**
	 * Results of the calls.
	 */
	static class Outbox {

		private volatile CompletableFuture<Void> release = new CompletableFuture<>();

		private final AtomicInteger sent = new AtomicInteger();

		private final AtomicInteger ended = new AtomicInteger();

		private volatile Throwable failure;

		/**
		 * Forget the calls of earlier tests, which have ended.
		 */
		void clear() {
			this.release = new CompletableFuture<>();
			this.sent.set(0);
			this.ended.set(0);
			this.failure = null;
		}

		private String send() {
			this.sent.incrementAndGet();
			return "sent";
		}

		private void ended(String result, Throwable thrown) {
			if (thrown != null) {
				this.failure = thrown;
			}
			this.ended.incrementAndGet();
		}

		/**
		 * Run a call on another thread once the test releases it.
		 */
		private void whenReleased(Supplier<String> call) {
			this.release.thenApplyAsync((released) -> call.get()).whenComplete(this::ended);
		}

		void release() {
			this.release.complete(null);
		}

		int sent() {
			return this.sent.get();
		}

		int ended() {
			return this.ended.get();
		}

		Throwable failure() {
			return this.failure;
		}

	}

	static class Addresses {

		@RateLimited(name = "address", key = "ip", max = 10_000, period = 60)
		public String call() {
			return "known";
		}

	}

}
