package io.github.ratelimit.test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.stream.Stream;

import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitProperties;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;

/**
 * {@link AutoConfiguration Auto-configuration} of the limiter for tests. Its clock, store
 * and waits replace those of the application. Child contexts use the limiter of their
 * parent, and with it all of these.
 *
 * @since 0.1.0
 * @see AutoConfigureTestRateLimiter
 */
@AutoConfiguration(before = RateLimitAutoConfiguration.class)
@ConditionalOnProperty(TestRateLimiterCustomizerFactory.PROPERTY)
@ConditionalOnMissingBean(TestLimits.class)
final class TestRateLimiterAutoConfiguration {

	@Bean
	RateLimitClock rateLimitClock() {
		return new RateLimitClock();
	}

	@Bean
	@Primary
	GivenTime rateLimitTestTime(RateLimitClock clock) {
		return new GivenTime(clock);
	}

	@Bean
	@Primary
	Turns rateLimitTestTurns(RateLimitClock clock) {
		return new Turns(clock);
	}

	@Bean
	@Primary
	TestRateLimitStore rateLimitTestStore(RateLimitProperties properties, GivenTime time, Turns turns) {
		return new TestRateLimitStore(LocalRateLimitStore.withSettableClock(properties.local().maxKeys(), time), turns);
	}

	/**
	 * Create a post-processor that lets the store, the clock and the waits of tests
	 * replace primary ones of the application.
	 */
	@Bean
	static BeanFactoryPostProcessor rateLimitTestPrimaries() {
		return (beans) -> Stream.of(RateLimitStore.class, LocalClock.class, CallDelay.class)
			.flatMap((type) -> Arrays.stream(beans.getBeanNamesForType(type, true, false)))
			.filter((name) -> !name.startsWith("rateLimitTest") && beans.containsBeanDefinition(name))
			.forEach((name) -> beans.getBeanDefinition(name).setPrimary(false));
	}

	@Bean
	TestLimits rateLimitTestLimits(RateLimitClock clock, Turns turns, TestRateLimitStore store, RuleRegistry registry,
			RuleOverrideRegistry overrides, RateLimitEngine engine, LoadAdaptation loadAdaptation,
			RateLimitProperties properties) {
		if (!properties.enabled()) {
			registry.switchOff();
		}
		return new TestLimits(clock, turns, store, overrides, engine, loadAdaptation);
	}

	/**
	 * Begin when all rules are known, before runners of the application call limited
	 * methods.
	 */
	@Bean
	ApplicationListener<ContextRefreshedEvent> rateLimitTestStart(TestLimits limits, ApplicationContext context) {
		return (refreshed) -> {
			if (refreshed.getApplicationContext() == context) {
				limits.beginAnew();
			}
		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class Reactive {

		/**
		 * Create a filter that gives requests without a connection, such as those of a
		 * {@code WebTestClient} that is bound to the application context, the loopback
		 * address. The requests of {@code MockMvc} have it, too.
		 */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		WebFilter rateLimitTestAddress() {
			InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
			return (exchange, chain) -> chain.filter((exchange.getRequest().getRemoteAddress() != null) ? exchange
					: exchange.mutate().request((request) -> request.remoteAddress(loopback)).build());
		}

	}

	/**
	 * Time of the {@link RateLimitClock} for the limiter and for the dates that it shows.
	 */
	record GivenTime(RateLimitClock clock) implements LocalClock {

		@Override
		public long getAsLong() {
			return this.clock.micros();
		}

		@Override
		public Clock timeOfDay() {
			InstantSource source = this.clock::instant;
			return source.withZone(ZoneOffset.UTC);
		}

	}

}
