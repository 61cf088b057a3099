package io.github.ratelimit.compatibility;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Typical application, the same on a servlet and on a WebFlux server.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(ForumApplication.ReplyController.class)
class ForumApplication {

	@RestController
	static class ReplyController {

		@PostMapping("/replies")
		@RateLimited(key = "#userId + ':reply'", period = 60, max = 5)
		public String reply(@RequestParam(required = false) String userId) {
			return "replied";
		}

		@PostMapping("/bodies")
		@RateLimited(key = "#reply['user'] + ip", period = 60, max = 5)
		public String body(@RequestBody Map<String, Object> reply) {
			return "replied";
		}

		@PostMapping("/mono")
		@RateLimited(key = "#userId", period = 60, max = 5)
		public Mono<String> mono(@RequestParam String userId) {
			return Mono.just("replied");
		}

		@PostMapping("/flux")
		@RateLimited(key = "#userId", period = 60, max = 5)
		public Flux<String> flux(@RequestParam String userId) {
			return Flux.just("replied");
		}

		@PostMapping("/future")
		@RateLimited(key = "#userId", period = 60, max = 5)
		public CompletableFuture<String> future(@RequestParam String userId) {
			return CompletableFuture.completedFuture("replied");
		}

		@PostMapping("/address")
		@RateLimited(key = "ip", period = 60, max = 5)
		public String address() {
			return "replied";
		}

		@PostMapping("/sms")
		@RateLimited("sms")
		public String sms() {
			return "sent";
		}

	}

}
