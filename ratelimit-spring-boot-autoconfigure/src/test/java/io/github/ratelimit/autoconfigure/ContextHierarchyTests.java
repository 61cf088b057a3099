package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Parent and child contexts that are both auto-configured: they share rules and counters,
 * and an expression sees the beans of the context in which its own bean is defined.
 */
class ContextHierarchyTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class));

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
	void propertiesOfAChildAddRulesAndOverrideThoseOfItsParent() {
		this.runner.withPropertyValues("ratelimit.rules.both.max=1", "ratelimit.rules.both.period=1m")
			.run((parent) -> this.runner.withParent(parent)
				.withBean("names", Names.class)
				.withBean(Replies.class)
				.withPropertyValues("ratelimit.rules.replies-reply.max=2", "ratelimit.rules.both.max=3",
						"ratelimit.rules.both.period=1m", "ratelimit.rules.new.max=4", "ratelimit.rules.new.period=1m")
				.run((child) -> {
					RateLimiterRegistry limiters = child.getBean(RateLimiterRegistry.class);
					assertThat(limiters.rules()).extracting(Object::toString)
						.containsExactlyInAnyOrder("both [sliding-log 3 per 1m]", "new [sliding-log 4 per 1m]",
								"replies-reply [sliding-log 2 per 1m]");
				}));
	}

	@Test
	void mistakeInThePropertiesOfAChildEndsItsStart() {
		this.runner.withPropertyValues("ratelimit.rules.both.max=1", "ratelimit.rules.both.period=1m").run((parent) -> {
			for (int i = 0; i < 2; i++) {
				this.runner.withParent(parent)
					.withPropertyValues("ratelimit.rules.both.max=0", "ratelimit.rules.both.period=1m")
					.run((child) -> assertThat(child.getStartupFailure())
						.hasStackTraceContaining("ratelimit.rules.both.max"));
			}
		});
	}

	@Test
	void annotationsOfAClosedOrFailedChildDefineNothingForTheNextOne() {
		this.runner.run((parent) -> {
			RateLimiterRegistry limiters = parent.getBean(RateLimiterRegistry.class);
			this.runner.withParent(parent).withBean(Plugin.class).run((first) -> {
				assertThat(limiters.limiter("plugin").rule()).hasToString("plugin [sliding-log 3 per 1m]");
				this.runner.withParent(parent)
					.withBean(ChangedPlugin.class)
					.run((other) -> assertThat(other).hasFailed());
			});
			this.runner.withParent(parent)
				.withBean(ChangedPlugin.class)
				.run((second) -> assertThat(limiters.limiter("plugin").rule())
					.hasToString("plugin [sliding-log 5 per 1m]"));
			this.runner.withParent(parent)
				.withBean(Plugin.class)
				.run((third) -> assertThat(limiters.limiter("plugin").rule())
					.hasToString("plugin [sliding-log 3 per 1m]"));
		});
	}

	@Test
	void limitedBeanOfTheParentSeesTheRequestsOfAChild() {
		this.runner.withBean(PerAddress.class).run((parent) -> {
			PerAddress limited = parent.getBean(PerAddress.class);
			limited.call();
			new WebApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
						ServletRateLimitAutoConfiguration.class))
				.withParent(parent)
				.run((child) -> {
					assertThat(child).hasNotFailed();
					requestFrom("192.0.2.1");
					limited.call();
				});
			requestFrom("192.0.2.2");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(limited::call);
			RequestContextHolder.resetRequestAttributes();
			RateLimiter limiter = parent.getBean(RateLimiterRegistry.class).limiter("per-address-call");
			assertThat(limiter.peek("192.0.2.1").remaining()).isZero();
			assertThat(limiter.peek("nobody").remaining()).isZero();
		});
	}

	@Test
	void listenersOfAChildAreNotifiedUntilItIsClosed() {
		List<String> heard = new ArrayList<>();
		this.runner.withBean("names", Names.class)
			.withBean(Replies.class)
			.withBean("ofParent", RateLimitListener.class, () -> listener("parent", heard))
			.run((parent) -> {
				this.runner.withParent(parent)
					.withBean("ofChild", RateLimitListener.class, () -> listener("child", heard))
					.run((child) -> parent.getBean(Replies.class).reply("x"));
				parent.getBean(Replies.class).reply("y");
			});
		assertThat(heard).containsExactly("parent", "child", "parent");
	}

	private static void requestFrom(String address) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setRemoteAddr(address);
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
	}

	private static RateLimitListener listener(String name, List<String> heard) {
		return new RateLimitListener() {

			@Override
			public void decided(RuleDecision decision) {
				heard.add(name);
			}

		};
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

	static class Plugin {

		@RateLimited(name = "plugin", max = 3, period = 60)
		public void call() {
		}

	}

	static class ChangedPlugin {

		@RateLimited(name = "plugin", max = 5, period = 60)
		public void call() {
		}

	}

	static class PerAddress {

		@RateLimited(key = "ip ?: 'nobody'", max = 1, period = 60)
		public void call() {
		}

	}

	static class Mistaken {

		@RateLimited(key = "#usr", max = 1, period = 60)
		public void reply(String user) {
		}

	}

}
