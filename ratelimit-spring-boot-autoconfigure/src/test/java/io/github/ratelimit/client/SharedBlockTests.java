package io.github.ratelimit.client;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Exceptions;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Two instances that share a Redis, and an API that answers one of them.
 */
class SharedBlockTests {

	private final RedisProcess redis = RedisProcess.start();

	private final Api api = new Api();

	private final ApplicationContextRunner application = Client.runnerWithRedis(this.redis.port())
		.withPropertyValues("ratelimit.rules.api.max=100", "ratelimit.rules.api.period=60",
				"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=api",
				"ratelimit.client.requests[0].key=path");

	@AfterEach
	void stop() {
		this.api.close();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void blockHoldsInBothInstances(Client client) {
		run((here, there) -> {
			this.api.answers(429, "Retry-After", "60");
			client.get(here, this.api.url("/a"));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> limited(client, here, "/a"));
			await().until(() -> limiter(there).overrides().containsKey("/a"));
			int sent = this.api.requests();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> limited(client, there, "/a"))
				.satisfies((denial) -> assertThat(denial.decision().retryAfter()).isBetween(Duration.ofSeconds(50),
						Duration.ofSeconds(60)));
			assertThat(this.api.requests()).isEqualTo(sent);
			assertThat(client.get(there, this.api.url("/b"))).isEqualTo(429);
		});
	}

	@Test
	void longerBlockIsNeverShortened() {
		run((here, there) -> {
			limiter(there).override("/a", KeyOverride.blocked().lasting(Duration.ofHours(1)));
			KeyOverrideRegistry overrides = here.getBean(KeyOverrideRegistry.class);
			Duration minute = Duration.ofMinutes(1);
			assertThat(overrides.block("api", "/a", minute)).isTrue();
			assertThat(limiter(here).overrides().get("/a").until()).isAfter(Instant.now().plusSeconds(3000));
			limiter(there).override("/b", KeyOverride.blocked());
			overrides.block("api", "/b", minute);
			assertThat(limiter(here).overrides().get("/b")).isEqualTo(KeyOverride.blocked());
			limiter(there).override("/c", KeyOverride.blocked().lasting(Duration.ofSeconds(5)));
			overrides.block("api", "/c", minute);
			assertThat(limiter(here).overrides().get("/c").until()).isAfter(Instant.now().plusSeconds(30));
		});
	}

	@ParameterizedTest
	@EnumSource
	void blockHoldsHereWhenNoMoreOverridesAreKept(Client client) {
		run((here, there) -> {
			limiter(here).override("k", KeyOverride.max(3));
			fill(here.getBean(StringRedisTemplate.class));
			this.api.answers(429, "Retry-After", "60");
			try (RecordedLog log = new RecordedLog(KeyBlocks.class)) {
				limited(client, here, "/a");
				limited(client, here, "/b");
				await().until(() -> !log.lines().isEmpty());
				assertThat(log.lines()).singleElement()
					.asString()
					.startsWith(
							"WARNING An API requested a pause of the outgoing requests of a key of rule \"api\". The "
									+ "block holds in this instance alone: Rule \"api\" has 10000 overrides of keys");
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> limited(client, here, "/a"));
			assertThat(limited(client, there, "/a")).isEqualTo(429);
		});
	}

	/**
	 * Write overrides as another instance does, without its notifications.
	 */
	private static void fill(StringRedisTemplate template) {
		String overrides = template.keys("*")
			.stream()
			.filter((key) -> template.type(key) == DataType.HASH && template.opsForHash().hasKey(key, "k"))
			.findFirst()
			.orElseThrow();
		template.opsForHash()
			.putAll(overrides,
					IntStream.range(1, OverrideStore.MOST_PER_RULE)
						.boxed()
						.collect(Collectors.toMap((i) -> "k" + i, (i) -> "max=3")));
	}

	@ParameterizedTest
	@EnumSource
	void blockHoldsHereWhileRedisIsGone(Client client) {
		run((here, there) -> {
			limited(client, here, "/a");
			this.redis.close();
			this.api.answers(429, "Retry-After", "60");
			try (RecordedLog log = new RecordedLog(KeyBlocks.class)) {
				limited(client, here, "/a");
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> limited(client, here, "/a"));
				await().until(() -> !log.lines().isEmpty());
				assertThat(log.lines()).singleElement().asString().contains("holds in this instance alone");
			}
			assertThat(limited(client, there, "/a")).isEqualTo(429);
		});
	}

	private int limited(Client client, ApplicationContext context, String path) {
		try {
			return client.get(context, this.api.url(path));
		}
		catch (RuntimeException ex) {
			throw (RuntimeException) Exceptions.unwrap(ex);
		}
	}

	private void run(BiConsumer<ApplicationContext, ApplicationContext> test) {
		this.application.run((here) -> this.application.run((there) -> test.accept(here, there)));
	}

	private static RateLimiter limiter(ApplicationContext context) {
		return context.getBean(RateLimiterRegistry.class).limiter("api");
	}

}
