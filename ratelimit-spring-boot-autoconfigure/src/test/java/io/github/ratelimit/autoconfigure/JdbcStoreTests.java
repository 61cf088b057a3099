package io.github.ratelimit.autoconfigure;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

/**
 * Choice of the data source of the store in a database, and its properties.
 */
@ExtendWith(OutputCaptureExtension.class)
class JdbcStoreTests {

	private static final String JDBC = "ratelimit.store=jdbc";

	private static final String PREFETCH = "ratelimit.rules.reply.prefetch";

	private static final long PATIENCE = 60_000;

	private final ApplicationContextRunner context = LimitedApplication.runner(JdbcRateLimitAutoConfiguration.class)
		.withPropertyValues("ratelimit.rules.reply.max=5", "ratelimit.rules.reply.period=60s");

	private static StartFailure failure(CapturedOutput output, List<Class<?>> beans, String... properties) {
		return StartFailure.of(output, beans, List.of(properties));
	}

	@Test
	void startupFailsWithoutDataSource(CapturedOutput output) {
		StartFailure failure = failure(output, List.of(Jdbc.class), JDBC);
		assertThat(failure.description()).isEqualTo("ratelimit.store = jdbc is invalid: there is no DataSource bean.");
		assertThat(failure.action()).startsWith("Add spring-boot-starter-jdbc and the driver");
	}

	@Test
	void startupFailsWithoutTheModule() {
		this.context.withClassLoader(new FilteredClassLoader(JdbcRateLimitStore.class))
			.withPropertyValues(JDBC)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ratelimit-jdbc or its auto-configuration is excluded"));
	}

	@Test
	void startupFailsIfSeveralCouldBeMeant(CapturedOutput output) {
		StartFailure failure = failure(output, List.of(Jdbc.class, Two.class), JDBC);
		assertThat(failure.description()).isEqualTo(
				"Rate limits are counted in one database, but there are several " + "DataSource beans: forum, limits.");
		assertThat(failure.action()).isEqualTo("Write ratelimit.jdbc.data-source: forum, for example, or mark the "
				+ "bean for rate limits with @RateLimitDataSource.");
	}

	@Test
	void startupFailsIfNoneHasTheName(CapturedOutput output) {
		StartFailure failure = failure(output, List.of(Jdbc.class, Two.class), JDBC,
				"ratelimit.jdbc.data-source=limit");
		assertThat(failure.description())
			.isEqualTo("ratelimit.jdbc.data-source = limit is invalid: there is no DataSource bean of this name.");
		assertThat(failure.action()).isEqualTo("Write one of these names: forum, limits.");
	}

	@Test
	void propertyChoosesOne() {
		this.context.withUserConfiguration(Two.class)
			.withPropertyValues(JDBC, "ratelimit.jdbc.data-source=limits")
			.run((context) -> {
				assertThat(context).getBean(RateLimitStore.class).isInstanceOf(JdbcRateLimitStore.class);
				verify(context.getBean("limits", DataSource.class), timeout(PATIENCE).atLeastOnce()).getConnection();
				verify(context.getBean("forum", DataSource.class), never()).getConnection();
			});
	}

	@Test
	void overridesAreStoredBesideTheCounters() {
		this.context.withUserConfiguration(Qualified.class).withPropertyValues(JDBC).run((context) -> {
			assertThat(context.getBean(OverrideStore.class).isShared()).isTrue();
		});
	}

	@Test
	void qualifierChoosesOneThatIsNoCandidateForOthers() {
		this.context.withUserConfiguration(Qualified.class).withPropertyValues(JDBC).run((context) -> {
			verify(context.getBean("limits", DataSource.class), timeout(PATIENCE).atLeastOnce()).getConnection();
			verify(context.getBean("forum", DataSource.class), never()).getConnection();
			assertThat(context.getBean(DataSource.class)).isSameAs(context.getBean("forum"));
		});
	}

	@Test
	void applicationStartsWithoutTheDatabaseAndCountsInTheProcess() {
		try (RecordedLog log = new RecordedLog(StartReport.class)) {
			this.context.withUserConfiguration(Qualified.class).withPropertyValues(JDBC).run((context) -> {
				assertThat(context.getBean(RateLimiterRegistry.class).limiter("reply").tryAcquire("ann").allowed())
					.isTrue();
				assertThat(log.lines()).contains("INFO Rate limits: 1 rule, counted in the database, together by all "
						+ "instances, as soon as it answers.");
			});
		}
	}

	@Test
	void propertiesOfTheDatabaseMayStayWithAnotherStore() {
		this.context.withPropertyValues("ratelimit.store=local", "ratelimit.jdbc.timeout=1s")
			.run((context) -> assertThat(context).getBean(RateLimitStore.class)
				.isInstanceOf(LocalRateLimitStore.class));
	}

	@Test
	void databaseIsChosenWithoutSpringDataRedis() {
		this.context.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
			.withUserConfiguration(Qualified.class)
			.withPropertyValues(JDBC)
			.run((context) -> {
				assertThat(context).getBean(RateLimitStore.class).isInstanceOf(JdbcRateLimitStore.class);
				assertThat(context.getBean(OverrideStore.class).isShared()).isTrue();
			});
	}

	@Test
	void prefetchMayStayWithAnotherStore() {
		this.context.withPropertyValues("ratelimit.store=local", "ratelimit.rules.reply.prefetch=20ms")
			.run((context) -> assertThat(context).getBean(RateLimitStore.class)
				.isInstanceOf(LocalRateLimitStore.class));
	}

	@Test
	void misspelledPropertyIsRefusedWithAnyStore(CapturedOutput output) {
		StartFailure failure = failure(output, List.of(), "ratelimit.store=local", "ratelimit.jdbc.timeouts=1s");
		assertThat(failure.description()).contains("ratelimit.jdbc.timeouts", "Did you mean ratelimit.jdbc.timeout?");
	}

	@Test
	void invalidValuesAreRefused(CapturedOutput output) {
		assertThat(failure(output, List.of(Jdbc.class, Qualified.class), JDBC, "ratelimit.jdbc.timeout=0").action())
			.isEqualTo("Write how long a call may wait, timeout: 250ms for example and at most 60s.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.jdbc.connections", "ratelimit.redis.max-pending" })
	void invalidValueIsRefusedWithAnyStore(String property, CapturedOutput output) {
		assertThat(failure(output, List.of(Jdbc.class), "ratelimit.store=local", property + "=0").description())
			.contains(property + " = 0 is invalid");
	}

	@Test
	void prefetchIsRefused(CapturedOutput output) {
		assertPrefetchIsRefused(output, PREFETCH, Qualified.class, "ratelimit.rules.reply.max=5",
				"ratelimit.rules.reply.period=60s", "ratelimit.rules.reply.prefetch=20ms");
	}

	@Test
	void prefetchOfAnAnnotatedRuleIsRefused(CapturedOutput output) {
		assertPrefetchIsRefused(output, PREFETCH, Annotated.class, "ratelimit.rules.reply.prefetch=20ms");
	}

	@Test
	void prefetchOfAnAnnotatedRuleWithOtherNumbersIsRefused(CapturedOutput output) {
		assertPrefetchIsRefused(output, PREFETCH, Annotated.class, "ratelimit.rules.reply.prefetch=20ms",
				"ratelimit.rules.reply.max=7");
	}

	@Test
	void prefetchOfARuleThatABeanRegistersIsRefused(CapturedOutput output) {
		assertPrefetchIsRefused(output, "prefetch of \"reply\"", OfProgram.class);
	}

	private static void assertPrefetchIsRefused(CapturedOutput output, String place, Class<?> beans,
			String... properties) {
		StartFailure failure = failure(output, List.of(Jdbc.class, Qualified.class, beans),
				Stream.concat(Stream.of(JDBC), Stream.of(properties)).toArray(String[]::new));
		assertThat(failure.description()).isEqualTo(place + " = 20ms is invalid: it has no effect with "
				+ "ratelimit.store = jdbc: instances ask the database for each call.");
		assertThat(failure.action()).isEqualTo("Remove it, or count in Redis.");
	}

	@Test
	void prefetchOfARuleThatIsRegisteredLaterIsRefused() {
		this.context.withUserConfiguration(Qualified.class).withPropertyValues(JDBC).run((context) -> {
			RateLimiterRegistry limiters = context.getBean(RateLimiterRegistry.class);
			assertThatExceptionOfType(RateLimitConfigurationException.class)
				.isThrownBy(() -> limiters.register(OfProgram.REPLY))
				.withMessageStartingWith("prefetch of \"reply\" = 20ms is invalid: it has no effect");
		});
	}

	private static DataSource unavailable() {
		DataSource dataSource = mock(DataSource.class);
		try {
			given(dataSource.getConnection()).willThrow(new SQLException("Nobody listens", "08001"));
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return dataSource;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(JdbcRateLimitAutoConfiguration.class)
	static class Jdbc {

	}

	@Configuration(proxyBeanMethods = false)
	static class Two {

		@Bean
		DataSource forum() {
			return unavailable();
		}

		@Bean
		DataSource limits() {
			return unavailable();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualified {

		@Bean
		DataSource forum() {
			return unavailable();
		}

		@Bean(defaultCandidate = false)
		@RateLimitDataSource
		DataSource limits() {
			return unavailable();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Annotated {

		@Bean
		Replies replies() {
			return new Replies();
		}

	}

	static class Replies {

		@RateLimited(name = "reply", max = 5, period = 60)
		public void reply() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfProgram {

		private static final RateLimitRule REPLY = RateLimitRule.named("reply")
			.limit(5, Duration.ofMinutes(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.prefetch(Duration.ofMillis(20))
			.build();

		@Bean
		RateLimiter replies(RateLimiterRegistry limiters) {
			return limiters.register(REPLY);
		}

	}

}
