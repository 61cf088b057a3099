package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.actuate.StoreHealth;
import io.github.ratelimit.actuate.boot3.Boot3HealthAutoConfiguration;
import io.github.ratelimit.redis.process.RedisProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributorRegistry;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.HttpCodeStatusMapper;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.actuate.health.StatusAggregator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The health contributor of Spring Boot 3.
 */
class HealthContextTests {

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(Boot3HealthAutoConfiguration.class, RateLimitAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthEndpointAutoConfiguration.class));

	@Test
	void contributorIsNamedAndUp() {
		this.plain.run((context) -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).isEqualTo(Map.of("state", "counting"));
		});
	}

	@Test
	void fallbackIsUnknownAndAnsweredWith200() {
		this.plain.run((context) -> {
			context.getBean(StoreHealth.class).storeUnavailable("timeout");
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
			assertThat(health.getDetails()).containsEntry("reason", "timeout").containsKey("since");
			assertThat(context.getBean(HttpCodeStatusMapper.class).getStatusCode(health.getStatus())).isEqualTo(200);
			assertThat(context.getBean(StatusAggregator.class).getAggregateStatus(Status.UP, health.getStatus()))
				.isEqualTo(Status.UP);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void lostRedisIsNoticedWithoutACall(String client) {
		try (RedisProcess redis = RedisProcess.start()) {
			this.plain.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.client-type=" + client, "spring.data.redis.port=" + redis.port())
				.run((context) -> {
					awaitState(context, "counting");
					redis.freeze();
					awaitState(context, "fallback");
					redis.resume();
					awaitState(context, "counting");
					redis.kill();
					awaitState(context, "fallback");
					redis.restart();
					awaitState(context, "counting");
				});
		}
	}

	private static void awaitState(AssertableApplicationContext context, String state) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> health(context).getDetails().get("state").equals(state));
	}

	@Test
	void mistakeIsDown() {
		this.plain.run((context) -> {
			context.getBean(StoreHealth.class).storeFailed("wrongtype", "Remove the key.");
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).containsEntry("remedy", "Remove the key.");
			assertThat(context.getBean(HttpCodeStatusMapper.class).getStatusCode(health.getStatus())).isEqualTo(503);
		});
	}

	@Test
	void contributorCanBeSwitchedOff() {
		for (String property : List.of("management.health.ratelimit.enabled=false",
				"management.health.defaults.enabled=false")) {
			this.plain.withPropertyValues(property)
				.run((context) -> assertThat(context).doesNotHaveBean("ratelimitHealthIndicator")
					.doesNotHaveBean(RateLimitListener.class));
		}
	}

	@Test
	void ownContributorReplacesOurs() {
		HealthIndicator own = () -> Health.up().build();
		this.plain.withBean("ratelimitHealthIndicator", HealthIndicator.class, () -> own).run((context) -> {
			assertThat(context).doesNotHaveBean(RateLimitListener.class);
			assertThat(context.getBean("ratelimitHealthIndicator")).isSameAs(own);
		});
	}

	private static Health health(AssertableApplicationContext context) {
		HealthIndicator indicator = (HealthIndicator) context.getBean(HealthContributorRegistry.class)
			.getContributor("ratelimit");
		return indicator.getHealth(true);
	}

}
