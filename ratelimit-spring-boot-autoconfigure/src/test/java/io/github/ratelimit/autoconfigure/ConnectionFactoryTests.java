package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RespConnection;
import io.github.ratelimit.store.redis.RedisUnderTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Choice between several connection factories of an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionFactoryTests {

	private final String prefix = "factories-" + UUID.randomUUID();

	@Test
	void startupFailsIfSeveralCouldBeMeant(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Two.class), List.of());
		assertThat(failure.description()).isEqualTo("Rate limits are counted in one Redis, but there are several "
				+ "RedisConnectionFactory beans: cache, limits.");
		assertThat(failure.action()).isEqualTo("Write ratelimit.redis.connection-factory: cache, for example, or mark "
				+ "the bean for rate limits with @Primary.");
	}

	@Test
	void startupFailsIfNoneHasTheName(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Two.class),
				List.of("ratelimit.redis.connection-factory=limit"));
		assertThat(failure.description()).isEqualTo("ratelimit.redis.connection-factory = limit is invalid: there is "
				+ "no RedisConnectionFactory bean of this name.");
		assertThat(failure.action()).isEqualTo("Write one of these names: cache, limits.");
	}

	@Test
	void startupFailsIfThereIsNone(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(),
				List.of("ratelimit.redis.connection-factory=environment"));
		assertThat(failure.action()).isEqualTo("Configure spring.data.redis, or define the bean.");
	}

	@Test
	void primaryOneCounts() {
		assertThat(databaseThatCounts(OnePrimary.class)).isEqualTo(Two.LIMITS);
	}

	@Test
	void propertyChoosesOne() {
		assertThat(databaseThatCounts(Two.class, "ratelimit.redis.connection-factory=limits")).isEqualTo(Two.LIMITS);
		assertThat(databaseThatCounts(OnePrimary.class, "ratelimit.redis.connection-factory=cache"))
			.isEqualTo(Two.CACHE);
	}

	@Test
	void localStoreNeedsNoChoice() {
		context(Two.class).withPropertyValues("ratelimit.store=local")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private int databaseThatCounts(Class<?> factories, String... properties) {
		int[] found = { -1 };
		context(factories).withPropertyValues(properties).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("reply").tryAcquire("ann").allowed())
				.isTrue();
			List<Integer> databases = Stream.of(Two.CACHE, Two.LIMITS).filter((each) -> counters(each) > 0).toList();
			assertThat(databases).hasSize(1);
			found[0] = databases.get(0);
		});
		return found[0];
	}

	private ApplicationContextRunner context(Class<?> factories) {
		return LimitedApplication.runner()
			.withUserConfiguration(factories)
			.withPropertyValues("ratelimit.key-prefix=" + this.prefix, "ratelimit.redis.timeout=10s",
					"ratelimit.rules.reply.max=5", "ratelimit.rules.reply.period=60s");
	}

	/**
	 * Delete the counters of a database.
	 * @return how many there were
	 */
	private long counters(int database) {
		RedisProcess redis = RedisUnderTest.process();
		try (RespConnection connection = redis.connect(Duration.ofSeconds(5))) {
			connection.command("SELECT", Integer.toString(database));
			return (Long) connection.command("DEL", this.prefix + ":{reply:ann}:times");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Two {

		static final int CACHE = 4;

		static final int LIMITS = 5;

		@Bean
		RedisConnectionFactory cache() {
			return connections(CACHE);
		}

		@Bean
		RedisConnectionFactory limits() {
			return connections(LIMITS);
		}

		static RedisConnectionFactory connections(int database) {
			RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(RedisUnderTest.process().host(),
					RedisUnderTest.process().port());
			server.setDatabase(database);
			return new LettuceConnectionFactory(server);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OnePrimary {

		@Bean
		RedisConnectionFactory cache() {
			return Two.connections(Two.CACHE);
		}

		@Bean
		@Primary
		RedisConnectionFactory limits() {
			return Two.connections(Two.LIMITS);
		}

	}

}
