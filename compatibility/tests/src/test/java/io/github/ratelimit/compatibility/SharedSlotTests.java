package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Calls of two instances that share the slots of a key in Redis.
 */
@OnNewestLine
class SharedSlotTests {

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	@SuppressWarnings("try") // an instance is closed within the test
	void callsOfBothInstancesHoldSlotsUntilTheyEnd(String client) throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start();
				Server one = instance(redis, client);
				Server other = instance(redis, client)) {
			ExecutorService threads = Executors.newCachedThreadPool();
			List<CompletableFuture<Void>> running = new ArrayList<>();
			for (Server server : List.of(one, other)) {
				Exports exports = server.bean(Exports.class);
				running.add(CompletableFuture.runAsync(() -> exports.export("acme"), threads));
				assertThat(exports.begun().await(1, TimeUnit.MINUTES)).isTrue();
			}
			Disposable stream = one.bean(Exports.class).stream("acme").subscribe();
			await().untilAsserted(() -> assertThat(left(other)).isZero());
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> other.bean(Exports.class).export("acme"))
				.withMessage("Rate limit \"export\" exceeded");
			stream.dispose();
			await().untilAsserted(() -> assertThat(left(other)).isEqualTo(1));
			one.bean(Exports.class).ended().countDown();
			assertThat(running.get(0)).succeedsWithin(Duration.ofMinutes(1));
			assertThat(left(other)).isEqualTo(2);
			one.close();
			assertThat(left(other)).isEqualTo(2);
			other.bean(Exports.class).ended().countDown();
			assertThat(running.get(1)).succeedsWithin(Duration.ofMinutes(1));
			assertThat(left(other)).isEqualTo(3);
			threads.shutdown();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	@SuppressWarnings("try") // an instance is closed within the test
	void instanceThatStopsFreesTheSlotsOfCallsThatRun(String client) throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start();
				Server one = instance(redis, client);
				Server other = instance(redis, client)) {
			Exports exports = one.bean(Exports.class);
			Thread call = new Thread(() -> exports.export("acme"));
			call.start();
			assertThat(exports.begun().await(1, TimeUnit.MINUTES)).isTrue();
			assertThat(left(other)).isEqualTo(2);
			one.close();
			assertThat(left(other)).isEqualTo(3);
			exports.ended().countDown();
			call.join(TimeUnit.MINUTES.toMillis(1));
			assertThat(left(other)).isEqualTo(3);
		}
	}

	private static long left(Server server) {
		return server.bean(RateLimiterRegistry.class).limiter("export").peek("acme").remaining();
	}

	private static Server instance(RedisProcess redis, String client) {
		return Server.start(WebApplicationType.NONE, Application.class, "spring.data.redis.port=" + redis.port(),
				"spring.data.redis.client-type=" + client, "ratelimit.redis.timeout=10s");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Exports exports() {
			return new Exports();
		}

	}

	static class Exports {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch ended = new CountDownLatch(1);

		public CountDownLatch begun() {
			return this.begun;
		}

		public CountDownLatch ended() {
			return this.ended;
		}

		@RateLimited(name = "export", key = "#tenant", algorithm = Algorithm.CONCURRENCY, max = 3)
		public void export(String tenant) {
			this.begun.countDown();
			try {
				this.ended.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@RateLimited(name = "export", key = "#tenant", algorithm = Algorithm.CONCURRENCY, max = 3)
		public Flux<Long> stream(String tenant) {
			return Flux.interval(Duration.ofMillis(10));
		}

	}

}
