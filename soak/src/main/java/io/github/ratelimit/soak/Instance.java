package io.github.ratelimit.soak;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.top.TalkerList.Talker;
import io.github.ratelimit.top.TopTalkers;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Instance of the application, configured as applications are.
 */
final class Instance implements AutoCloseable {

	/**
	 * Property with the URL of the database, if there is one.
	 */
	static final String DATABASE = "soak.database";

	private final int number;

	private final ConfigurableApplicationContext context;

	private final RateLimiterRegistry limiters;

	private final AnnotatedCalls methods;

	private final ObservationRegistry observations;

	/**
	 * Start an instance.
	 * @param listeners notified of what happens in it
	 * @param spans handler of the observations of its calls
	 * @param properties the properties that are specific to the run
	 */
	Instance(int number, List<Scenario> scenarios, List<RateLimitListener> listeners, ObservationHandler<?> spans,
			Stream<String> properties) {
		this.number = number;
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.initializers((context) -> {
				listeners.forEach((listener) -> context.getBeanFactory()
					.registerSingleton(listener.getClass().getSimpleName(), listener));
				context.getBeanFactory().registerSingleton("spans", spans);
			})
			.run(properties.map((property) -> "--" + property).toArray(String[]::new));
		this.limiters = this.context.getBean(RateLimiterRegistry.class);
		this.methods = this.context.getBean(AnnotatedCalls.class);
		this.observations = this.context.getBean(ObservationRegistry.class);
		scenarios.stream().map(Scenario::rule).filter(Objects::nonNull).forEach(this.limiters::register);
	}

	int number() {
		return this.number;
	}

	RateLimiter limiter(String rule) {
		return this.limiters.limiter(rule);
	}

	/**
	 * Return whether the store decides calls, on each node if it has several.
	 */
	boolean usesStore() {
		RateLimiter limiter = limiter("log");
		return IntStream.range(0, 10)
			.mapToObj((number) -> limiter.tryAcquire("recovered " + number))
			.noneMatch((decision) -> decision.origin() == Origin.FALLBACK);
	}

	/**
	 * Return how a key is listed among those of its rule with most denials.
	 * @return {@code null} if it is not
	 */
	@Nullable Talker listed(KeyHistory key) {
		TopTalkers top = Objects.requireNonNull(this.context.getBean(RateLimitEngine.class).keys().topTalkers());
		String text = StoredKey.of(key.key()).textInUtf8();
		return top.report(key.scenario().name())
			.denials()
			.talkers()
			.stream()
			.filter((talker) -> talker.key().equals(text))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the decision that a call would get, as the explanation of a request says it.
	 */
	Decision preview(KeyHistory key) {
		RateLimitRule rule = limiter(key.scenario().name()).rule();
		return this.context.getBean(RateLimitEngine.class).preview(new Demand(RuleCounts.of(rule), key.key(), 1));
	}

	/**
	 * Try another candidate beside a rule in all instances, or remove it.
	 */
	void tryAtRunTime(String rule, boolean tries) {
		RuleOverrideRegistry overrides = this.context.getBean(RuleOverrideRegistry.class);
		if (tries) {
			overrides.tryCandidate(rule, "later", null, LimitAttributes.NONE.with(LimitAttribute.MAX, 3L), "soak");
		}
		else {
			overrides.removeCandidate(rule, "later", "soak");
		}
	}

	AnnotatedCalls methods() {
		return this.methods;
	}

	/**
	 * Call within an observation of its own.
	 */
	<T extends @Nullable Object> T observe(Supplier<T> call) {
		return Observation.createNotStarted("call", this.observations).observe(call);
	}

	/**
	 * Return the names and tags of all meters.
	 */
	List<String> meters() {
		return this.context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map(Meter::getId)
			.map(Object::toString)
			.toList();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Application with limited methods.
	 */
	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		AnnotatedCalls annotatedCalls() {
			return new AnnotatedCalls();
		}

		@Bean
		@ConditionalOnProperty(DATABASE)
		HikariDataSource database(@Value("${" + DATABASE + '}') String url) {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(url);
			return new HikariDataSource(config);
		}

	}

}
