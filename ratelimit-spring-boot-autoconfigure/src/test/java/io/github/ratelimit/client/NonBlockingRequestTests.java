package io.github.ratelimit.client;

import java.net.URI;
import java.time.Duration;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.client.reactive.OutgoingLimitFilter;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Requests on a thread that must not block: decisions, waits and answers of an API.
 */
@Tag("blockhound")
class NonBlockingRequestTests {

	@BeforeAll
	static void watch() {
		BlockHound.install();
	}

	@Test
	void limitNeverBlocksTheThread() {
		try (RedisProcess redis = RedisProcess.start()) {
			Client.runnerWithRedis(redis.port())
				.withPropertyValues("ratelimit.rules.api.max=100", "ratelimit.rules.api.period=60",
						"ratelimit.rules.api.max-wait=5s", "ratelimit.client.requests[0].host=localhost",
						"ratelimit.client.requests[0].rule=api", "ratelimit.client.requests[0].key=host + path")
				.run((context) -> {
					long start = System.nanoTime();
					assertThat(status(context, "1")).isEqualTo(429);
					assertThat(status(context, "60")).isEqualTo(429);
					assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(900));
					assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> status(context, "60"));
					await().until(() -> context.getBean(RateLimiterRegistry.class)
						.limiter("api")
						.overrides()
						.containsKey("localhost/a"));
				});
		}
	}

	private static Integer status(ApplicationContext context, String retryAfter) {
		ClientRequest request = ClientRequest.create(HttpMethod.GET, URI.create("http://localhost/a")).build();
		ClientResponse response = ClientResponse.create(HttpStatus.TOO_MANY_REQUESTS)
			.header("Retry-After", retryAfter)
			.build();
		return new OutgoingLimitFilter(context.getBean(OutgoingRuleMatcher.class))
			.filter(request, (sent) -> Mono.just(response))
			.map((answer) -> answer.statusCode().value())
			.subscribeOn(Schedulers.parallel())
			.block(Duration.ofSeconds(20));
	}

}
