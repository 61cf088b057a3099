package io.github.ratelimit.autoconfigure;

import java.time.Clock;
import java.util.List;
import java.util.Locale;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.actuate.boot3.Boot3HealthAutoConfiguration;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.graphql.FetcherContexts;
import io.github.ratelimit.graphql.RateLimitErrors;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.RateLimitAdvice;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.reactive.CallContextBinding;
import io.github.ratelimit.web.servlet.ServletCallContextSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.web.servlet.DispatcherServlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Auto-configured beans, each of which backs off for a bean of the application.
 */
@ExtendWith(OutputCaptureExtension.class)
class AutoConfiguredBeansTests {

	private static final AutoConfigurations ALL = AutoConfigurations.of(AopAutoConfiguration.class,
			RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
			ReactiveRateLimitAutoConfiguration.class);

	private final ApplicationContextRunner plain = new ApplicationContextRunner().withConfiguration(ALL);

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(ALL);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(ALL);

	@Test
	void applicationWithoutWeb() {
		this.plain.run((context) -> {
			assertThat(context).hasSingleBean(RateLimiterRegistry.class);
			assertThat(context).hasSingleBean(RateLimitEngine.class);
			assertThat(context).hasSingleBean(LimitedMethodSource.class);
			assertThat(context).getBean(RateLimitStore.class).isInstanceOf(LocalRateLimitStore.class);
			assertThat(context).hasBean("rateLimitAdvisor");
			assertThat(context).doesNotHaveBean(CallContextSource.class);
			assertThat(context).doesNotHaveBean(RateLimitAdvice.class);
		});
	}

	@Test
	void servletApplication() {
		this.servlet.run((context) -> {
			assertThat(context).getBean(CallContextSource.class).isInstanceOf(ServletCallContextSource.class);
			assertThat(context).hasSingleBean(RateLimitAdvice.class);
			assertThat(context).doesNotHaveBean(CallContextBinding.OfFilters.class);
		});
	}

	@Test
	void reactiveApplication() {
		this.reactive.run((context) -> {
			assertThat(context).getBean(CallContextSource.class).isInstanceOf(CallContextBinding.class);
			assertThat(context).hasSingleBean(CallContextBinding.OfFilters.class);
			assertThat(context).hasSingleBean(CallContextBinding.OfHandlers.class);
			assertThat(context).hasSingleBean(RateLimitAdvice.class);
		});
	}

	/** GraphQL over RSocket for example, in a servlet container with Jersey. */
	@Test
	void servletApplicationWithGraphQlAndWithoutSpringMvc() {
		this.servlet.withConfiguration(AutoConfigurations.of(GraphQlRateLimitAutoConfiguration.class))
			.withBean(GraphQlSource.class, () -> mock(GraphQlSource.class))
			.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> {
				assertThat(context).hasSingleBean(RateLimitErrors.class);
				assertThat(context).doesNotHaveBean(CallContextSource.class);
			});
	}

	@Test
	void graphQlHasItsRequestsAlthoughTheConfigurationOfTheServerIsExcluded() {
		AutoConfigurations others = AutoConfigurations.of(RateLimitAutoConfiguration.class,
				GraphQlRateLimitAutoConfiguration.class);
		ContextConsumer<ApplicationContext> hasRequests = (
				context) -> assertThat(context.getBean(FetcherContexts.class).settings().ipv6Prefix()).isEqualTo(48);
		new WebApplicationContextRunner().withConfiguration(others)
			.withBean(GraphQlSource.class, () -> mock(GraphQlSource.class))
			.withPropertyValues("ratelimit.web.ipv6-prefix=48")
			.run(hasRequests);
		new ReactiveWebApplicationContextRunner().withConfiguration(others)
			.withBean(GraphQlSource.class, () -> mock(GraphQlSource.class))
			.withPropertyValues("ratelimit.web.ipv6-prefix=48")
			.run(hasRequests);
	}

	@Test
	void allOthersBackOffIfTheFirstOneIsExcluded() {
		AutoConfigurations others = AutoConfigurations.of(Boot3HealthAutoConfiguration.class,
				EndpointRateLimitAutoConfiguration.class, GatewayRateLimitAutoConfiguration.class,
				GraphQlRateLimitAutoConfiguration.class, JdbcRateLimitAutoConfiguration.class,
				MetricsRateLimitAutoConfiguration.class, ObservationRateLimitAutoConfiguration.class,
				OutgoingRateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class);
		String[] properties = { "management.endpoints.web.exposure.include=*",
				"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=api",
				"ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=api" };
		ContextConsumer<ApplicationContext> nothing = (context) -> assertThat(context.getBeanDefinitionNames())
			.noneMatch((name) -> name.toLowerCase(Locale.ROOT).contains("ratelimit"));
		new WebApplicationContextRunner().withConfiguration(others)
			.withUserConfiguration(OtherLibraries.class)
			.withPropertyValues(properties)
			.run(nothing);
		new ReactiveWebApplicationContextRunner().withConfiguration(others)
			.withUserConfiguration(OtherLibraries.class)
			.withPropertyValues(properties)
			.run(nothing);
	}

	@Test
	void disabledApplicationLimitsNoMethodsButStillHasTheApi() {
		this.plain.withUserConfiguration(Once.class).withPropertyValues("ratelimit.enabled=false").run((context) -> {
			assertThat(AopUtils.isAopProxy(context.getBean(Once.class))).isFalse();
			assertThat(context).doesNotHaveBean("rateLimitAdvisor");
			assertThat(context).hasSingleBean(RateLimiterRegistry.class);
		});
	}

	@ParameterizedTest
	@CsvSource({ "false, 0", "off, 0", "no, 0", "0, 0", "FALSE, 0", "true, 1", "on, 1", "yes, 1", "1, 1" })
	void everyTextThatMeansTrueOrFalseEnablesOrDisablesTheApplication(String value, int beans) {
		this.servlet.withPropertyValues("ratelimit.enabled=" + value).run((context) -> {
			assertThat(context.containsBean("rateLimitAdvisor")).isEqualTo(beans == 1);
			assertThat(context.getBeansOfType(RateLimitAdvice.class)).hasSize(beans);
		});
	}

	@Test
	void textThatIsNeitherTrueNorFalseIsRefused() {
		this.plain.withPropertyValues("ratelimit.enabled=of")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("Invalid boolean value 'of'"));
	}

	@Test
	void disabledWebApplicationHasNothingOfTheWeb() {
		this.servlet.withPropertyValues("ratelimit.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(CallContextSource.class);
			assertThat(context).doesNotHaveBean(RateLimitAdvice.class);
		});
		this.reactive.withPropertyValues("ratelimit.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(CallContextBinding.OfFilters.class);
			assertThat(context).doesNotHaveBean(CallContextBinding.OfHandlers.class);
			assertThat(context).doesNotHaveBean(RateLimitAdvice.class);
		});
	}

	@Test
	void storeIsRedisWhenThereIsAConnectionFactory() {
		ApplicationContextRunner redis = this.plain.withBean(RedisConnectionFactory.class,
				() -> mock(RedisConnectionFactory.class));
		redis.run(
				(context) -> assertThat(context).getBean(RateLimitStore.class).isInstanceOf(RedisRateLimitStore.class));
		redis.withPropertyValues("ratelimit.store=redis")
			.run((context) -> assertThat(context).getBean(RateLimitStore.class)
				.isInstanceOf(RedisRateLimitStore.class));
		redis.withPropertyValues("ratelimit.store=local")
			.run((context) -> assertThat(context).getBean(RateLimitStore.class)
				.isInstanceOf(LocalRateLimitStore.class));
	}

	@Test
	void reactiveApplicationIsWarnedThatItsRedisClientBlocks() {
		ReactiveWebApplicationContextRunner blocking = this.reactive.withBean(RedisConnectionFactory.class,
				() -> mock(RedisConnectionFactory.class));
		try (RecordedLog log = new RecordedLog(StartReport.class)) {
			blocking.withPropertyValues("ratelimit.store=local").run((context) -> assertThat(context).hasNotFailed());
			this.servlet.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
				.run((context) -> assertThat(context).hasNotFailed());
			this.reactive.withBean(LettuceConnectionFactory.class).run((context) -> assertThat(context).hasNotFailed());
			assertThat(log.lines()).noneMatch((line) -> line.startsWith("WARNING"));
			blocking.run((context) -> assertThat(context).hasNotFailed());
			assertThat(log.lines()).filteredOn((line) -> line.startsWith("WARNING"))
				.singleElement()
				.asString()
				.startsWith("WARNING This application is reactive, but its Redis client blocks.");
		}
	}

	@Test
	void beansBackOffForTheApplicationsOwn() {
		RateLimitStore store = new LocalRateLimitStore(10);
		RateLimitEngine engine = new RateLimitEngine(store, () -> OnStoreFailure.LOCAL, mock(FallbackStore.class));
		RuleRegistry registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
		this.plain.withBean("ownStore", RateLimitStore.class, () -> store)
			.withBean("ownEngine", RateLimitEngine.class, () -> engine)
			.withBean("ownRegistry", RuleRegistry.class, () -> registry)
			.run((context) -> {
				assertThat(context).getBean(RateLimitStore.class).isSameAs(store);
				assertThat(context).getBean(RateLimitEngine.class).isSameAs(engine);
				assertThat(context).getBean(RateLimiterRegistry.class).isSameAs(registry);
			});
	}

	@Test
	void webBeansBackOffForTheApplicationsOwn() {
		CallContextSource contexts = () -> null;
		WebRequests settings = new WebRequests(HeaderFormat.NONE, 48, Clock.systemUTC());
		this.servlet.withBean("ownContexts", CallContextSource.class, () -> contexts)
			.withBean("ownSettings", WebRequests.class, () -> settings)
			.run((context) -> {
				assertThat(context).getBean(CallContextSource.class).isSameAs(contexts);
				assertThat(context).getBean(WebRequests.class).isSameAs(settings);
			});
		this.reactive
			.withBean("ownFilter", CallContextBinding.OfFilters.class, () -> new CallContextBinding.OfFilters(settings))
			.run((context) -> assertThat(context).getBean(CallContextBinding.OfFilters.class)
				.isSameAs(context.getBean("ownFilter")));
	}

	@Test
	void advisorHasTheOrderOfTheProperty() {
		this.plain.run((context) -> assertThat(advisor(context).getOrder()).isEqualTo(1000));
		this.plain.withPropertyValues("ratelimit.aop.order=7")
			.run((context) -> assertThat(advisor(context).getOrder()).isEqualTo(7));
	}

	@Test
	void noBeanIsMadeTooEarly(CapturedOutput output) {
		this.servlet.withUserConfiguration(Once.class).run((context) -> context.getBean(Once.class).call());
		assertThat(output).doesNotContain("not eligible for getting processed");
	}

	private static DefaultPointcutAdvisor advisor(ApplicationContext context) {
		return context.getBean("rateLimitAdvisor", DefaultPointcutAdvisor.class);
	}

	@Configuration(value = "libraries", proxyBeanMethods = false)
	static class OtherLibraries {

		@Bean
		GraphQlSource graphQl() {
			return mock(GraphQlSource.class);
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		ObservationRegistry observations() {
			return ObservationRegistry.create();
		}

	}

	static class Once {

		@RateLimited(max = 1, period = 3600)
		public void call() {
		}

	}

}
