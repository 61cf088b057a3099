package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Decisions never block a thread that must not block. BlockHound makes such a thread fail
 * when it blocks, and needs a JVM of its own.
 */
@Tag("blockhound")
class NonBlockingTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@AutoClose
	private RedisProcess redis;

	private ApplicationContextRunner lettuce;

	@BeforeAll
	static void watch() {
		BlockHound.install();
	}

	@BeforeEach
	void start() {
		this.redis = RedisProcess.start();
		this.lettuce = LimitedApplication.runner(RedisAutoConfiguration.class)
			.withUserConfiguration(Calls.class)
			.withPropertyValues("spring.data.redis.port=" + this.redis.port(), "ratelimit.redis.timeout=5s");
	}

	/**
	 * Redis is frozen, so that its reply cannot arrive before a call waits for it.
	 */
	@Test
	void blockingThatIsThereIsSeen() {
		this.lettuce.run((context) -> {
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			this.redis.freeze();
			Mono<?> blocking = Mono.fromCallable(() -> registry.limiter("calls-mono").tryAcquire("x"))
				.subscribeOn(Schedulers.parallel());
			assertThatException().isThrownBy(() -> blocking.block(PATIENCE))
				.withCauseInstanceOf(BlockingOperationError.class);
			this.redis.resume();
		});
	}

	@ParameterizedTest
	@EnumSource
	void admittedAndDeniedCallsDoNotBlock(Kind kind) {
		this.lettuce.run(admittedAndDenied(kind));
	}

	@ParameterizedTest
	@EnumSource
	void clientThatBlocksBlocksOnlyThreadsOfOurs(Kind kind) {
		this.lettuce.withPropertyValues("spring.data.redis.client-type=jedis").run(admittedAndDenied(kind));
	}

	@ParameterizedTest
	@EnumSource
	void countingInsideTheProcessDoesNotBlock(Kind kind) {
		this.lettuce.withPropertyValues("ratelimit.store=local").run(admittedAndDenied(kind));
	}

	@ParameterizedTest
	@EnumSource
	void callsThatWaitForTheirTurnDoNotBlock(Kind kind) {
		this.lettuce.run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(onParallel(() -> kind.waiting(calls))).isEqualTo("value");
			assertThat(onParallel(() -> kind.waiting(calls))).isEqualTo("value");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callsAreDecidedWithoutBlockingWhileRedisIsGone(Kind kind) {
		this.lettuce.run((context) -> {
			this.redis.kill();
			admittedAndDenied(kind).accept(context);
		});
	}

	private static ContextConsumer<ApplicationContext> admittedAndDenied(Kind kind) {
		return (context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(onParallel(() -> kind.call(calls))).isEqualTo("value");
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> onParallel(() -> kind.call(calls)));
		};
	}

	private static Object onParallel(Supplier<Mono<?>> call) {
		return Mono.defer(call).subscribeOn(Schedulers.parallel()).block(PATIENCE);
	}

	/**
	 * Return types of methods whose callers must not be blocked.
	 */
	enum Kind {

		MONO {

			@Override
			Mono<?> call(Calls calls) {
				return calls.mono();
			}

			@Override
			Mono<?> waiting(Calls calls) {
				return calls.waitingMono();
			}

		},

		FLUX {

			@Override
			Mono<?> call(Calls calls) {
				return calls.flux().last();
			}

			@Override
			Mono<?> waiting(Calls calls) {
				return calls.waitingFlux().last();
			}

		},

		STAGE {

			@Override
			Mono<?> call(Calls calls) {
				return Mono.fromCompletionStage(calls.stage());
			}

			@Override
			Mono<?> waiting(Calls calls) {
				return Mono.fromCompletionStage(calls.waitingStage());
			}

		};

		abstract Mono<?> call(Calls calls);

		abstract Mono<?> waiting(Calls calls);

	}

	static class Calls {

		@RateLimited(max = 1, period = 3600)
		public Mono<String> mono() {
			return Mono.just("value");
		}

		@RateLimited(max = 1, period = 3600)
		public Flux<String> flux() {
			return Flux.just("first", "value");
		}

		@RateLimited(max = 1, period = 3600)
		public CompletionStage<String> stage() {
			return Mono.just("value").toFuture();
		}

		@RateLimited(max = 1, period = 1, maxWait = "2s", algorithm = Algorithm.LEAKY_BUCKET)
		public Mono<String> waitingMono() {
			return Mono.just("value");
		}

		@RateLimited(max = 1, period = 1, maxWait = "2s", algorithm = Algorithm.LEAKY_BUCKET)
		public Flux<String> waitingFlux() {
			return Flux.just("first", "value");
		}

		@RateLimited(max = 1, period = 1, maxWait = "2s", algorithm = Algorithm.LEAKY_BUCKET)
		public CompletionStage<String> waitingStage() {
			return Mono.just("value").toFuture();
		}

	}

}
