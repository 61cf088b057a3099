package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Application that stops, for good or to start again.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoppedApplicationTests {

	private static final Pattern NOISE = Pattern.compile("WARN|ERROR|SEVERE|Exception|already closed");

	@AutoClose
	private final RecordedLog log = new RecordedLog("io.github.ratelimit");

	private int ownStart;

	private int start;

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void firstCallAfterAPauseIsCountedInRedis(String client, CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			application("spring.data.redis.client-type=" + client, "spring.data.redis.port=" + redis.port())
				.run((context) -> {
					RateLimiter limiter = limiter(context);
					awaitRedis(limiter);
					quietFromNowOn(output);
					for (int pause = 0; pause < 3; pause++) {
						context.getSourceApplicationContext().stop();
						assertThat(limiter.peek("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
						TimeUnit.MILLISECONDS.sleep(1_200); // two readings of overrides
						assertThat(scriptsOn(redis)).isFalse();
						context.getSourceApplicationContext().start();
						assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.REDIS);
						// other commands than scripts are run on this connection too
						Awaitility.await().until(() -> scriptsOn(redis));
					}
				});
			assertThat(noise(output)).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "lettuce, false", "lettuce, true" })
	void endOfAnApplicationLogsNothing(String client, boolean pooled, CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			endUnderLoad(output, "spring.data.redis.client-type=" + client, "spring.data.redis.port=" + redis.port(),
					"spring.data.redis.lettuce.pool.enabled=" + pooled);
		}
	}

	@Test
	void endOfAnApplicationWithAClusterLogsNothing(CapturedOutput output) {
		try (RedisCluster cluster = RedisCluster.start()) {
			endUnderLoad(output,
					"spring.data.redis.cluster.nodes=" + cluster.masters()
						.stream()
						.map((node) -> "127.0.0.1:" + node.port())
						.collect(Collectors.joining(",")));
		}
	}

	@Test
	void endOfAnApplicationWithSentinelsLogsNothing(CapturedOutput output) {
		try (RedisSentinel group = RedisSentinel.start()) {
			endUnderLoad(output, "spring.data.redis.sentinel.master=" + group.masterName(),
					"spring.data.redis.sentinel.nodes=" + group.sentinels()
						.stream()
						.map((node) -> "127.0.0.1:" + node.port())
						.collect(Collectors.joining(",")));
		}
	}

	@Test
	void endOfAnApplicationThatHasLostRedisLogsNothing(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			application("spring.data.redis.port=" + redis.port()).run((context) -> {
				awaitRedis(limiter(context));
				redis.kill();
				Awaitility.await()
					.until(() -> this.log.lines().stream().anyMatch((line) -> line.contains("cannot answer")));
				quietFromNowOn(output);
			});
			assertThat(noise(output)).isEmpty();
		}
	}

	/**
	 * Return whether a connection is open on which a script was run.
	 */
	private static boolean scriptsOn(RedisProcess redis) {
		return String.valueOf(redis.command("CLIENT", "LIST")).contains("cmd=eval");
	}

	private static void awaitRedis(RateLimiter limiter) {
		Awaitility.await().until(() -> limiter.tryAcquire("key").origin() == Decision.Origin.REDIS);
	}

	private void endUnderLoad(CapturedOutput output, String... properties) {
		AtomicBoolean ended = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			application(properties).run((context) -> {
				context.getBean(StringRedisTemplate.class).hasKey("key");
				RateLimiter limiter = limiter(context);
				AtomicLong calls = new AtomicLong();
				for (int i = 0; i < 4; i++) {
					threads.execute(() -> {
						while (!ended.get()) {
							limiter.tryAcquire("key" + calls.incrementAndGet() % 100);
						}
					});
				}
				Awaitility.await().until(() -> calls.get() > 1_000);
				awaitRedis(limiter);
				quietFromNowOn(output);
			});
		}
		finally {
			ended.set(true);
			threads.shutdown();
		}
		Awaitility.await().until(threads::isTerminated);
		assertThat(noise(output)).isEmpty();
	}

	private void quietFromNowOn(CapturedOutput output) {
		this.ownStart = this.log.lines().size();
		this.start = output.length();
	}

	private List<String> noise(CapturedOutput output) {
		List<String> own = this.log.lines();
		return Stream
			.concat(own.subList(this.ownStart, own.size()).stream(), output.getAll().substring(this.start).lines())
			.filter((line) -> NOISE.matcher(line).find())
			.toList();
	}

	private static RateLimiter limiter(BeanFactory context) {
		return context.getBean(RateLimiterRegistry.class).limiter("rule");
	}

	private static ApplicationContextRunner application(String... properties) {
		return LimitedApplication.runner(RedisAutoConfiguration.class)
			.withPropertyValues("ratelimit.rules.rule.max=1000000", "ratelimit.rules.rule.period=30d",
					"ratelimit.rules.rule.algorithm=token-bucket", "ratelimit.redis.timeout=10s")
			.withPropertyValues(properties);
	}

}
