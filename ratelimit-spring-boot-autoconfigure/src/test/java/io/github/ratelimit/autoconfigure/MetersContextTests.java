package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.metrics.RateLimitMeters;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners and meters of an application.
 */
class MetersContextTests {

	private static final MeterFilter REFUSE_DECISIONS = new MeterFilter() {

		@Override
		public Meter.Id map(Meter.Id id) {
			if (id.getName().equals("ratelimit.decisions")) {
				throw new IllegalStateException("refused");
			}
			return id;
		}

	};

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(MetricsRateLimitAutoConfiguration.class,
				RateLimitAutoConfiguration.class, MetricsAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.reply.max=1", "ratelimit.rules.reply.period=1h");

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(MetricsRateLimitAutoConfiguration.class, RateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.reply.max=1", "ratelimit.rules.reply.period=1h");

	@Test
	void decisionsAreCounted() {
		this.plain.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("reply");
			limiter.tryAcquire("secret");
			limiter.tryAcquire("secret");
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("ratelimit.decisions").tags("outcome", "denied", "origin", "local").counter().count())
				.isOne();
			assertThat(meters.get("ratelimit.store.duration").timer().count()).isEqualTo(2);
			assertThat(meters.getMeters()).noneMatch((meter) -> meter.getId().toString().contains("secret"));
		});
	}

	@Test
	void thereAreNoMetersWithoutARegistryOrWithSeveralOfWhichNoneIsPrimary() {
		this.bare.run((context) -> assertThat(context).doesNotHaveBean(RateLimitMeters.class));
		this.bare.withBean("one", MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(RateLimitMeters.class));
		this.bare.withBean("one", MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("other", MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitMeters.class));
	}

	@Test
	void ownMetersReplaceOurs() {
		RateLimitMeters own = new RateLimitMeters(new SimpleMeterRegistry());
		this.plain.withBean("own", RateLimitMeters.class, () -> own)
			.run((context) -> assertThat(context).getBean(RateLimitMeters.class).isSameAs(own));
	}

	@Test
	void registryThatThrowsBreaksNoCall() {
		this.plain.withBean(MeterFilter.class, () -> REFUSE_DECISIONS).run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("reply");
			assertThat(limiter.tryAcquire("key").allowed()).isTrue();
			assertThat(limiter.tryAcquire("key").allowed()).isFalse();
			assertThat(context.getBean(MeterRegistry.class).get("ratelimit.store.duration").timer().count())
				.isEqualTo(2);
		});
	}

	@Test
	void everyListenerBeanIsCalled() {
		RecordingListener first = new RecordingListener();
		RecordingListener second = new RecordingListener();
		this.bare.withBean("first", RecordingListener.class, () -> first)
			.withBean("second", RecordingListener.class, () -> second)
			.run((context) -> {
				context.getBean(RateLimiterRegistry.class).limiter("reply").tryAcquire("key");
				assertThat(first.rule).isEqualTo("reply");
				assertThat(second.rule).isEqualTo("reply");
			});
	}

	@Test
	void listenerMayDependOnTheLimiter() {
		this.bare.withBean(Limiting.class).run((context) -> {
			context.getBean(RateLimiterRegistry.class).limiter("reply").tryAcquire("key");
			assertThat(context.getBean(Limiting.class).storeCalls).isPositive();
		});
	}

	static class RecordingListener implements RateLimitListener {

		private String rule;

		@Override
		public void decided(RuleDecision decision) {
			this.rule = decision.rule();
		}

	}

	static class Limiting implements RateLimitListener {

		private int storeCalls;

		Limiting(RateLimiterRegistry registry) {
			assertThat(registry).isNotNull();
		}

		@Override
		public void storeCalled(Duration duration) {
			this.storeCalls++;
		}

	}

}
