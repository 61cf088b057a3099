package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.store.redis.RedisUnderTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.AsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks that occupy every thread of a pool while they wait for limited methods.
 */
class JoinedStagesTests {

	private static final int TASKS = 8;

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RedisAutoConfiguration.class,
				TaskExecutionAutoConfiguration.class, RateLimitAutoConfiguration.class))
		.withUserConfiguration(Calls.class)
		.withPropertyValues("spring.data.redis.port=" + RedisUnderTest.process().port(), "ratelimit.redis.timeout=5s",
				"ratelimit.key-prefix=joined", "spring.task.execution.pool.core-size=" + TASKS);

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void stagesThatEveryThreadOfTheApplicationJoinsComplete(String store) {
		this.application.withPropertyValues("ratelimit.store=" + store).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(onEveryThread(context.getBean(AsyncTaskExecutor.class), () -> calls.stage().join()))
				.containsOnly("x");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void delayedStagesThatEveryThreadOfTheApplicationJoinsComplete(String store) {
		this.application.withPropertyValues("ratelimit.store=" + store).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(onEveryThread(context.getBean(AsyncTaskExecutor.class), () -> calls.delayed().join()))
				.containsOnly("x");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void publishersThatEveryElasticThreadBlocksOnComplete(String store) {
		this.application.withPropertyValues("ratelimit.store=" + store).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			List<CompletableFuture<String>> all = Stream
				.generate(() -> Mono.fromSupplier(() -> calls.mono().block())
					.subscribeOn(Schedulers.boundedElastic())
					.toFuture())
				.limit(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE)
				.toList();
			assertThat(joined(all)).containsOnly("x");
		});
	}

	private static List<String> onEveryThread(AsyncTaskExecutor executor, Supplier<String> task) {
		List<CompletableFuture<String>> all = new ArrayList<>();
		for (int i = 0; i < TASKS; i++) {
			all.add(CompletableFuture.supplyAsync(task, executor));
		}
		return joined(all);
	}

	private static List<String> joined(List<CompletableFuture<String>> all) {
		return all.stream().map((task) -> task.orTimeout(60, TimeUnit.SECONDS).join()).toList();
	}

	static class Calls {

		@RateLimited(max = 1000, period = 1)
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("x");
		}

		@RateLimited(max = 100, period = 1, maxWait = "10s", algorithm = Algorithm.LEAKY_BUCKET)
		public CompletableFuture<String> delayed() {
			return CompletableFuture.completedFuture("x");
		}

		@RateLimited(max = 1000, period = 1)
		public Mono<String> mono() {
			return Mono.just("x").delayElement(Duration.ofMillis(1));
		}

	}

}
