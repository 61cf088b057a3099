package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.adaptive.LoadSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Adaptive limits in an application.
 */
class AdaptiveContextTests {

	private static final String ADAPTIVE = "ratelimit.rules.export.adaptive.";

	private final AtomicReference<Double> load = new AtomicReference<>(0.0);

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.adaptive.interval=1d", "ratelimit.rules.export.period=1d");

	private final ApplicationContextRunner adaptive = this.application.withPropertyValues(ADAPTIVE + "low.at=1024",
			ADAPTIVE + "low.max=1000", ADAPTIVE + "high.at=2048", ADAPTIVE + "high.max=100");

	@ParameterizedTest
	@CsvSource({ "100, 1000", "1024, 1000", "1536, 550", "2048, 100", "3072, 100" })
	void maxFollowsALoadSignalBean(double given, long max) {
		this.load.set(given);
		this.adaptive.withPropertyValues(ADAPTIVE + "signal=queue")
			.withBean("queue", LoadSignal.class, () -> this.load::get)
			.run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("export");
				assertThat(limiter.tryAcquire("key", max + 1).retryAfter()).isEqualTo(Decision.NEVER);
				Decision decision = limiter.tryAcquire("key", max);
				assertThat(decision.allowed()).isTrue();
				assertThat(decision.limit()).isEqualTo(max);
				assertThat(decision.limits().get(0).max()).isEqualTo(max);
			});
	}

	@Test
	void maxFollowsWhenTheLoadChanges() {
		this.adaptive.withPropertyValues(ADAPTIVE + "signal=queue")
			.withBean("queue", LoadSignal.class, () -> this.load::get)
			.run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("export");
				assertThat(limiter.tryAcquire("key", 30).remaining()).isEqualTo(970);
				this.load.set(3072.0);
				context.getBean(LoadAdaptation.class).sample();
				assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(69);
			});
	}

	@ParameterizedTest
	@CsvSource({ "memory", "cpu" })
	void beanGoesBeforeTheSignalOfTheSameName(String name) {
		this.load.set(1536.0);
		this.adaptive.withPropertyValues(ADAPTIVE + "signal=" + name)
			.withBean(name, LoadSignal.class, () -> this.load::get)
			.run((context) -> assertThat(
					context.getBean(RateLimiterRegistry.class).limiter("export").peek("key").limit())
				.isEqualTo(550));
	}

	@Test
	void memoryMayBeASize() {
		this.application
			.withPropertyValues(ADAPTIVE + "signal=memory", ADAPTIVE + "low.at=1KB", ADAPTIVE + "low.max=1000",
					ADAPTIVE + "high.at=2KB", ADAPTIVE + "high.max=100")
			.run((context) -> assertThat(
					context.getBean(RateLimiterRegistry.class).limiter("export").peek("key").limit())
				.isEqualTo(100));
	}

	@Test
	void beanThatNoRuleFollowsIsNotMadeForIt() {
		AtomicReference<LoadSignal> made = new AtomicReference<>();
		this.application.withPropertyValues("ratelimit.rules.export.max=5").withBean("queue", LoadSignal.class, () -> {
			made.set(this.load::get);
			return made.get();
		}, (definition) -> definition.setLazyInit(true)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(made).hasValue(null);
		});
	}

	@Test
	void threadEndsWithTheContext() {
		List<Thread> others = threads();
		List<Thread> started = new ArrayList<>();
		this.adaptive.withPropertyValues(ADAPTIVE + "signal=memory").run((context) -> {
			List<Thread> own = threads().stream().filter((thread) -> !others.contains(thread)).toList();
			assertThat(own).isNotEmpty();
			started.addAll(own);
		});
		assertThat(started).allSatisfy((thread) -> {
			thread.join(10_000);
			assertThat(thread.isAlive()).isFalse();
		});
	}

	@Test
	void thereIsNoThreadWhenNoRuleIsAdaptive() {
		List<Thread> others = threads();
		this.application.withPropertyValues("ratelimit.rules.export.max=5").run((context) -> {
			context.getBean(RateLimiterRegistry.class).limiter("export").tryAcquire("key");
			assertThat(threads()).isSubsetOf(others);
		});
	}

	@Test
	void intervalIsASecondByDefault() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(RateLimitProperties.class).adaptive().interval())
				.hasSeconds(1));
		this.application.withPropertyValues("ratelimit.rules.export.max=5", "ratelimit.adaptive.interval=5")
			.run((context) -> assertThat(context.getBean(RateLimitProperties.class).adaptive().interval())
				.hasSeconds(5));
	}

	@Test
	void backsOffForTheApplicationsOwn() {
		this.application.withPropertyValues("ratelimit.rules.export.max=5")
			.withBean("own", LoadAdaptation.class, () -> new LoadAdaptation(Map.of(), Duration.ofHours(1)))
			.run((context) -> assertThat(context).hasSingleBean(LoadAdaptation.class).hasBean("own"));
	}

	private static List<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ratelimit-load"))
			.toList();
	}

}
