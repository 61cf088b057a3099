package io.github.ratelimit.autoconfigure;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Units of rules with {@code prefetch} when the application stops.
 */
class HeldUnitsRefundTests {

	private static final long MAX = 100_000_000;

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void applicationThatStopsRefundsTheUnitsThatItHolds(String client) {
		try (RedisProcess redis = RedisProcess.start()) {
			long taken = inApplication(redis, client, HeldUnitsRefundTests::takeConcurrently);
			long remaining = inApplication(redis, client, (limiter) -> limiter.peek("key").remaining());
			assertThat(remaining).isEqualTo(MAX - taken);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void applicationThatStartsAgainHoldsUnitsAgain(String client) {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis, client).run((context) -> {
				context.getSourceApplicationContext().stop();
				context.getSourceApplicationContext().start();
				RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("hot");
				await().until(() -> limiter.tryAcquire("key").origin() == Decision.Origin.REDIS);
				await().untilAsserted(() -> {
					takeConcurrently(limiter);
					assertThat(redis.command("EXISTS", "ratelimit:{hot:key}:portions")).isEqualTo(1L);
				});
			});
		}
	}

	private static long inApplication(RedisProcess redis, String client, ToLongFunction<RateLimiter> use) {
		AtomicLong result = new AtomicLong();
		application(redis, client)
			.run((context) -> result.set(use.applyAsLong(context.getBean(RateLimiterRegistry.class).limiter("hot"))));
		return result.get();
	}

	private static ApplicationContextRunner application(RedisProcess redis, String client) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=" + redis.port(), "spring.data.redis.client-type=" + client,
					"ratelimit.redis.timeout=10s", "ratelimit.rules.hot.max=" + MAX, "ratelimit.rules.hot.period=30d",
					"ratelimit.rules.hot.algorithm=sliding-window", "ratelimit.rules.hot.prefetch=1s");
	}

	/**
	 * Take more and more units, so that some are held at the end.
	 */
	private static long takeConcurrently(RateLimiter limiter) {
		return Stream.generate(() -> limiter)
			.limit(20_000)
			.parallel()
			.filter((same) -> same.tryAcquire("key").allowed())
			.count();
	}

}
