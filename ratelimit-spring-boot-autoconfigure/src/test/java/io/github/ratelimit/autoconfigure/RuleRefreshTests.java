package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.actuate.endpoint.RateLimitsEndpoint;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.web.LimitHeaders;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules are updated when Spring Cloud publishes a change of the environment.
 */
class RuleRefreshTests {

	private static final String REFUSED = "SEVERE The environment has changed, but a rate limit rule cannot be changed "
			+ "accordingly. The rule stays as before. ";

	@AutoClose
	private final RecordedLog log = new RecordedLog(RuleRefresh.class);

	private final ApplicationContextRunner runner = LimitedApplication.runner()
		.withPropertyValues("ratelimit.rules.export.max=100", "ratelimit.rules.export.period=1h",
				"ratelimit.rules.reply.max=5")
		.withUserConfiguration(Replies.class);

	private final WebApplicationContextRunner web = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class, EndpointRateLimitAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=ratelimits", "ratelimit.store=local",
				"ratelimit.rules.login.max=5", "ratelimit.rules.login.period=60s", "ratelimit.rules.export.max=100",
				"ratelimit.rules.export.period=1h")
		.withUserConfiguration(Replies.class);

	@Test
	void changedRuleKeepsConsumedUnits() {
		this.runner.run((context) -> {
			RateLimiter limiter = limiter(context, "export");
			limiter.tryAcquire("key", 2);
			change(context, "ratelimit.rules.export.max=10");
			assertThat(limiter.peek("key").remaining()).isEqualTo(8);
			change(context, "ratelimit.rules.export.mode=shadow", "ratelimit.rules.export.max=1");
			assertThat(limiter.rule().mode()).isEqualTo(Mode.SHADOW);
			assertThat(limiter.peek("key").remaining()).isZero();
			assertThat(this.log.lines()).isEmpty();
		});
	}

	@Test
	void changedPropertyStillOverridesJustOneAttributeOfAnAnnotation() {
		this.runner.run((context) -> {
			change(context, "ratelimit.rules.reply.max=7", "ratelimit.rules.repliesother.max=9");
			assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 7 per 1h]");
			assertThat(limiter(context, "replies-other").rule()).hasToString("replies-other [sliding-log 9 per 1h]");
		});
	}

	@Test
	void entryThatMatchesNoKeyIsReported() {
		this.runner.withPropertyValues("ratelimit.rules.export.key=ip").run((context) -> {
			change(context, "ratelimit.rules.export.deny[0]=2001:db8::bad");
			assertThat(this.log.lines()).singleElement()
				.asString()
				.startsWith("SEVERE The environment has changed, and an entry of a list matches no key. "
						+ "ratelimit.rules.export.deny[0] = \"2001:db8::bad\" is invalid: the key of the rule is ip");
		});
	}

	@Test
	void newRuleIsAdded() {
		this.runner.run((context) -> {
			change(context, "ratelimit.rules.search.max=3", "ratelimit.rules.search.period=60");
			assertThat(limiter(context, "search").rule()).hasToString("search [sliding-log 3 per 1m]");
		});
	}

	@Test
	void changeByAProgramStaysIfTheEnvironmentKeepsTheRule() {
		this.runner.run((context) -> {
			context.getBean(RateLimiterRegistry.class)
				.register(RateLimitRule.named("export").limit(50, Duration.ofHours(1)).build());
			change(context, "ratelimit.rules.reply.max=7");
			assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 50 per 1h]");
		});
	}

	@Test
	void invalidValueIsReportedAndTheRuleStaysWhileOthersFollow() {
		this.runner.run((context) -> {
			change(context, "ratelimit.rules.export.max=0", "ratelimit.rules.reply.max=7");
			assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 100 per 1h]");
			assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 7 per 1h]");
			assertThat(this.log.lines())
				.containsExactly(REFUSED + "ratelimit.rules.export.max = 0 is invalid: it has to be between 1 and "
						+ "1000000000. Write how many units may pass, max: 5 for example.");
			change(context, "ratelimit.rules.export.max=11");
			assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 11 per 1h]");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "deny[0]=10.0.0/8", "ban.after=0", "ban.lasting=1h", "headroom.low=100%",
			"headroom.low=abc", "headroom[0]=3", "zone=Nowhere", "adaptive.low.at=much", "schedule[0].from=zz",
			"plans[0].max=3", "candidates[0].max=3", "limits[0].zone=Nowhere", "plans.pro.max=0" })
	void valueThatCannotBeReadKeepsBackItsRuleAlone(String mistake) {
		this.runner.run((context) -> {
			change(context, "ratelimit.rules.export." + mistake, "ratelimit.rules.export.max=9",
					"ratelimit.rules.reply.max=7");
			assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 100 per 1h]");
			assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 7 per 1h]");
			assertThat(this.log.lines()).singleElement().asString().startsWith(REFUSED + "ratelimit.rules.export.");
		});
	}

	@Test
	void changedDefaultsAreReportedOnce() {
		this.runner.run((context) -> {
			change(context, "ratelimit.defaults.mode=shadow", "ratelimit.rules.reply.max=7");
			change(context, "ratelimit.rules.export.max=9");
			assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 9 per 1h]");
			assertThat(limiter(context, "reply").rule().mode()).isEqualTo(Mode.ENFORCE);
			assertThat(this.log.lines())
				.containsExactly("SEVERE The environment has changed, but ratelimit.defaults cannot change while the "
						+ "application runs. Rules keep the earlier ones. Start the application anew.");
		});
	}

	@Test
	void keyCannotChange() {
		this.runner.run((context) -> {
			change(context, "ratelimit.rules.reply.key=#a0", "ratelimit.rules.reply.max=7");
			assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
			assertThat(this.log.lines())
				.containsExactly(REFUSED + "ratelimit.rules.reply.key = #a0 is invalid: it cannot change while the "
						+ "application runs. Start the application anew.");
		});
	}

	@Test
	void unreadablePropertyIsReportedAndAllRulesStay() {
		for (String mistake : List.of("mode=shadwo", "period=soon", "maxx=3")) {
			this.runner.run((context) -> {
				change(context, "ratelimit.rules.export." + mistake, "ratelimit.rules.reply.max=7");
				assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 100 per 1h]");
				assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
			});
		}
		assertThat(this.log.lines()).hasSize(3)
			.allSatisfy((line) -> assertThat(line)
				.startsWith("SEVERE The environment has changed, but the rate limit rules cannot be read: "
						+ "ratelimit.rules.export.")
				.endsWith(" All rules stay as they were."))
			.anySatisfy((line) -> assertThat(line).contains("mode = \"shadwo\" is invalid: it is not one of enforce, "
					+ "shadow, off. Did you mean shadow? Write mode: shadow."))
			.anySatisfy((line) -> assertThat(line).contains("period = \"soon\" is invalid: it is not a duration."))
			.anySatisfy((line) -> assertThat(line).contains("maxx = \"3\" is invalid: there is no such property. "
					+ "Did you mean ratelimit.rules.export.max? Write max: 3."));
	}

	@Test
	void nameThatIsNotReadAsItIsWrittenIsReportedAndAllRulesStay() {
		this.runner.run((context) -> {
			change(context, "ratelimit.rules.expört.max=3", "ratelimit.rules.reply.max=7");
			assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
		});
		assertThat(this.log.lines()).singleElement()
			.asString()
			.contains("ratelimit.rules.expört is not read as it is written")
			.endsWith(" All rules stay as they were.");
	}

	@Test
	void environmentVariableThatNamesNoPropertyKeepsNothingBack() {
		this.runner.run((context) -> {
			context.getEnvironment()
				.getPropertySources()
				.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("RATELIMIT_RULES_REPLY_OWNER", "team-a", "RATELIMIT_RULES_EXPORT_MAX", "8")));
			change(context, "ratelimit.rules.reply.max=7");
			assertThat(limiter(context, "reply").rule()).hasToString("reply [sliding-log 7 per 1h]");
			assertThat(this.log.lines()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "headers=none,ietf", "headers=" })
	void invalidHeadersAreReportedAndAllRulesStay(String headers) {
		this.web.withPropertyValues("ratelimit.rules.login.headers=none").run((context) -> {
			change(context, "ratelimit.rules.login." + headers, "ratelimit.rules.export.max=9");
			assertThat(context.getBean(LimitHeaders.class).reveal("login")).isFalse();
			assertThat(limiter(context, "export").rule()).hasToString("export [sliding-log 100 per 1h]");
			assertThat(this.log.lines()).singleElement()
				.asString()
				.contains("All rules stay as before. ratelimit.rules.login.headers = ");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "max=0", "key=ip", "limits[0].max=3" })
	void refusedRuleKeepsItsHeadersToo(String mistake) {
		this.web.withPropertyValues("ratelimit.rules.login.headers=none").run((context) -> {
			change(context, "ratelimit.rules.login." + mistake, "ratelimit.rules.login.headers=ietf",
					"ratelimit.rules.export.headers=none");
			LimitHeaders headers = context.getBean(LimitHeaders.class);
			assertThat(headers.reveal("login")).isFalse();
			assertThat(headers.reveal("export")).isFalse();
			change(context, "ratelimit.rules.export.headers=ietf");
			assertThat(headers.reveal("login")).isFalse();
			assertThat(headers.reveal("export")).isTrue();
		});
	}

	@Test
	void ruleThatStaysWithoutItsPropertiesKeepsItsHeaders() {
		this.web.withPropertyValues("ratelimit.rules.login.headers=none").run((context) -> {
			context.getEnvironment().getPropertySources().remove("test");
			context.publishEvent(new EnvironmentChangeEvent(context));
			assertThat(limiter(context, "login").rule()).hasToString("login [sliding-log 5 per 1m]");
			assertThat(context.getBean(LimitHeaders.class).reveal("login")).isFalse();
		});
	}

	@Test
	void endpointShowsTheHeadersInForce() {
		this.web
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace("systemEnvironment",
						new SystemEnvironmentPropertySource("systemEnvironment",
								Map.of("RATELIMIT_RULES_REPLIESOTHER_HEADERS", "none"))))
			.run((context) -> {
				assertHeaders(context, "replies-other", "none", "ratelimit.rules.replies-other.headers");
				assertHeaders(context, "login", "ietf", "ratelimit.web.headers");
				change(context, "ratelimit.rules.login.headers=none");
				assertHeaders(context, "login", "none", "ratelimit.rules.login.headers");
			});
	}

	private static void assertHeaders(ApplicationContext context, String rule, String format, String source) {
		Map<String, Object> described = context.getBean(RateLimitsEndpoint.class)
			.rule(new String[] { rule }, null, null, null, null, null, null, null)
			.getBody();
		assertThat(described).containsEntry("headers", List.of(format));
		assertThat(described.get("sources")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("headers", source);
	}

	@Test
	void noListenerWithoutSpringCloud() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RuleRefresh.class));
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(EnvironmentChangeEvent.class))
			.run((context) -> assertThat(context).doesNotHaveBean(RuleRefresh.class));
	}

	private static void change(ConfigurableApplicationContext context, String... properties) {
		TestPropertyValues.of(properties).applyTo(context);
		context.publishEvent(new EnvironmentChangeEvent(context));
	}

	private static RateLimiter limiter(ConfigurableApplicationContext context, String rule) {
		return context.getBean(RateLimiterRegistry.class).limiter(rule);
	}

	static class Replies {

		@RateLimited(name = "reply", key = "#userId", max = 3, period = 3600)
		public void reply(String userId) {
		}

		@RateLimited(max = 3, period = 3600)
		public void other() {
		}

	}

}
