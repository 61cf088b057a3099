package io.github.ratelimit.autoconfigure;

import java.util.Map;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Parent and child contexts that are both auto-configured: the child uses the limiter of
 * its parent, and an expression sees the beans of the context in which its own bean is
 * defined.
 */
class ContextHierarchyTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	@Test
	void keyOfAChildsBeanMayUseABeanOfTheChild() {
		this.runner.run((parent) -> this.runner.withParent(parent)
			.withBean("names", Names.class)
			.withBean(Replies.class)
			.run((child) -> assertLimitedByName(child.getBean(Replies.class))));
	}

	@Test
	void keyOfAChildsBeanMayUseABeanOfTheParent() {
		this.runner.withBean("names", Names.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean(Replies.class)
				.run((child) -> assertLimitedByName(child.getBean(Replies.class))));
	}

	@Test
	void beanOfTheChildHidesThatOfTheParent() {
		this.runner.withBean("names", Names.class, () -> new Names("parent"))
			.withBean(Replies.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean(Replies.class)
				.withBean("names", Names.class, () -> new Names("child"))
				.run((child) -> {
					child.getBean(Replies.class).reply("x");
					parent.getBean(Replies.class).reply("x");
					RateLimiterRegistry limiters = parent.getBean(RateLimiterRegistry.class);
					assertThat(child.getBean(RateLimiterRegistry.class)).isSameAs(limiters);
					assertThat(limiters.limiter("replies-reply").peek("child-x").remaining()).isZero();
					assertThat(limiters.limiter("replies-reply").peek("parent-x").remaining()).isZero();
				}));
	}

	@Test
	void mistakeOfAChildsBeanEndsItsStart() {
		this.runner.run((parent) -> this.runner.withParent(parent)
			.withBean(Mistaken.class)
			.run((child) -> assertThat(child.getStartupFailure()).hasMessageContaining("#usr")));
	}

	@Test
	void parentGoesOnWhenTheChildIsClosed() {
		this.runner.withBean("names", Names.class).withBean(Replies.class).run((parent) -> {
			this.runner.withParent(parent).withBean("childs", Replies.class).run((child) -> {
			});
			assertLimitedByName(parent.getBean(Replies.class));
		});
	}

	@Test
	void childThatIsClosedEndsNothingOfItsParent() {
		try (RedisProcess redis = RedisProcess.start()) {
			ApplicationContextRunner onRedis = this.runner
				.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.port=" + redis.port(), "ratelimit.redis.timeout=10s",
						"ratelimit.rules.export.algorithm=concurrency", "ratelimit.rules.export.max=1");
			onRedis.run((parent) -> onRedis.run((other) -> {
				RateLimiter elsewhere = other.getBean(RateLimiterRegistry.class).limiter("export");
				RateLimiter here = parent.getBean(RateLimiterRegistry.class).limiter("export");
				try (Reservation running = here.reserve("key")) {
					assertThat(running.decision().allowed()).isTrue();
					for (int i = 0; i < 2; i++) {
						onRedis.withParent(parent).run((child) -> assertThat(child).hasNotFailed());
						assertThat(elsewhere.peek("key").remaining()).isZero();
					}
				}
				assertThat(elsewhere.peek("key").remaining()).isOne();
				elsewhere.override("mallory", KeyOverride.blocked());
				await().until(() -> here.overrides().containsKey("mallory"));
			}));
		}
	}

	@Test
	void propertiesOfTheLimiterThatOnlyAChildHasEndItsStart() {
		this.runner.withPropertyValues("ratelimit.rules.both.max=1", "ratelimit.rules.both.period=1m").run((parent) -> {
			this.runner.withParent(parent)
				.withInitializer((child) -> child.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("child",
							Map.of("ratelimit.rules.both.max", "2", "ratelimit.rules.both.period", "1m",
									"ratelimit.web.ipv6-prefix", "56"))))
				.run((child) -> assertThat(child.getStartupFailure())
					.hasMessageContaining("A child context uses the rate limiter of its parent context, which does not "
							+ "read ratelimit.rules.both.max of the child.")
					.hasMessageContaining("Set the same for the parent context, or remove it."));
			this.runner.withParent(parent)
				.run((child) -> assertThat(child.getBean(RateLimiterRegistry.class).rules())
					.hasToString("[both [sliding-log 1 per 1m]]"));
		});
	}

	private static void assertLimitedByName(Replies replies) {
		replies.reply("x");
		replies.reply("y");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> replies.reply("x"));
	}

	static class Names {

		private final String prefix;

		Names() {
			this("name");
		}

		Names(String prefix) {
			this.prefix = prefix;
		}

		public String of(String user) {
			return this.prefix + '-' + user;
		}

	}

	static class Replies {

		@RateLimited(key = "@names.of(#user)", max = 1, period = 60)
		public void reply(String user) {
		}

	}

	static class Mistaken {

		@RateLimited(key = "#usr", max = 1, period = 60)
		public void reply(String user) {
		}

	}

}
