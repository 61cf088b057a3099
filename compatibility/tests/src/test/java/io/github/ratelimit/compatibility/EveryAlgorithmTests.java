package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every algorithm, by annotation, by properties and by program, on two instances that
 * share a Redis.
 */
@OnNewestLine
class EveryAlgorithmTests {

	private static final Map<Algorithm, Consumer<Calls>> CALLS = Map.of(Algorithm.DEFAULT, Calls::byDefault,
			Algorithm.SLIDING_LOG, Calls::slidingLog, Algorithm.TOKEN_BUCKET, Calls::tokenBucket,
			Algorithm.WEIGHTED_WINDOW, Calls::weightedWindow, Algorithm.SLIDING_WINDOW, Calls::slidingWindow,
			Algorithm.FIXED_WINDOW, Calls::fixedWindow, Algorithm.LEAKY_BUCKET, Calls::leakyBucket, Algorithm.WARM_UP,
			Calls::warmUp);

	private static final RedisProcess redis = RedisProcess.start();

	private static final Server one = instance();

	private static final Server other = instance();

	@AfterAll
	static void stop() {
		one.close();
		other.close();
		redis.close();
	}

	@ParameterizedTest
	@MethodSource
	void annotationLimitsAllInstances(Algorithm algorithm) {
		Consumer<Calls> call = CALLS.get(algorithm);
		call.accept(one.bean(Calls.class));
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call.accept(other.bean(Calls.class)))
			.satisfies((denial) -> assertThat(denial.decision().origin()).isEqualTo(Decision.Origin.REDIS));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
	void propertiesLimitAllInstances(Algorithm algorithm) {
		String rule = "by-" + algorithm.yamlName();
		assertThat(limiter(one, rule).tryAcquire("key").allowed()).isTrue();
		assertThat(limiter(other, rule).tryAcquire("key").allowed()).isFalse();
		limiter(other, rule).refund("key", 1);
		assertThat(limiter(one, rule).tryAcquire("key").allowed()).isTrue();
		limiter(one, rule).reset("key");
		assertThat(limiter(other, rule).peek("key").resetAfter()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
	void programLimitsAllInstances(Algorithm algorithm) {
		RateLimitRule rule = RateLimitRule.named("program-" + algorithm.yamlName())
			.limit(100, Duration.ofSeconds(1))
			.algorithm(algorithm)
			.minInterval(Duration.ofHours(2))
			.build();
		assertThat(one.bean(RateLimiterRegistry.class).register(rule).tryAcquire("key").allowed()).isTrue();
		Decision denied = other.bean(RateLimiterRegistry.class).register(rule).tryAcquire("key");
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.retryAfter()).isGreaterThan(Duration.ofMinutes(110));
	}

	@Test
	void fifteenAtOnceFormOneQueue() throws Exception {
		List<Callable<Decision>> calls = new ArrayList<>();
		for (int i = 0; i < 15; i++) {
			RateLimiter limiter = limiter((i % 2 == 0) ? one : other, "export");
			calls.add(() -> limiter.tryAcquire("key"));
		}
		List<Duration> delays = decide(calls).stream().filter(Decision::allowed).map(Decision::delay).sorted().toList();
		assertThat(delays).hasSize(11);
		for (int i = 0; i < delays.size(); i++) {
			Duration slot = Duration.ofSeconds(20L * i);
			assertThat(delays.get(i)).isBetween(slot.minusSeconds(10), slot);
		}
	}

	static Set<Algorithm> annotationLimitsAllInstances() {
		return CALLS.keySet();
	}

	private static List<Decision> decide(List<Callable<Decision>> calls) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(calls.size());
		try {
			List<Decision> decisions = new ArrayList<>();
			for (Future<Decision> call : threads.invokeAll(calls)) {
				decisions.add(call.get());
			}
			return decisions;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static RateLimiter limiter(Server instance, String rule) {
		return instance.bean(RateLimiterRegistry.class).limiter(rule);
	}

	private static Server instance() {
		List<String> properties = new ArrayList<>(List.of("spring.data.redis.port=" + redis.port(),
				"ratelimit.rules.export.algorithm=leaky-bucket", "ratelimit.rules.export.max=5",
				"ratelimit.rules.export.period=100s", "ratelimit.rules.export.max-wait=200s"));
		Algorithm[] withPeriod = Arrays.stream(Algorithm.values())
			.filter((algorithm) -> algorithm != Algorithm.CONCURRENCY)
			.toArray(Algorithm[]::new);
		for (Algorithm algorithm : withPeriod) {
			String rule = "ratelimit.rules.by-" + algorithm.yamlName();
			properties
				.addAll(List.of(rule + ".algorithm=" + algorithm.yamlName(), rule + ".max=1", rule + ".period=1h"));
			if (algorithm == Algorithm.WARM_UP) {
				properties.add(rule + ".warm-up-period=2h");
			}
		}
		properties.add("ratelimit.rules.calls-warm-up.warm-up-period=2h");
		// no window may end during a test
		for (String rule : List.of("by-fixed-window", "calls-fixed-window")) {
			properties.add("ratelimit.rules." + rule + ".align=first-request");
		}
		return Server.start(WebApplicationType.NONE, Application.class, properties.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Calls calls() {
			return new Calls();
		}

	}

	static class Calls {

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS)
		public void byDefault() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.SLIDING_LOG)
		public void slidingLog() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.TOKEN_BUCKET)
		public void tokenBucket() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.WEIGHTED_WINDOW)
		public void weightedWindow() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.SLIDING_WINDOW)
		public void slidingWindow() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.FIXED_WINDOW)
		public void fixedWindow() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.LEAKY_BUCKET)
		public void leakyBucket() {
		}

		@RateLimited(max = 1, period = 1, unit = TimeUnit.HOURS, algorithm = Algorithm.WARM_UP)
		public void warmUp() {
		}

	}

}
