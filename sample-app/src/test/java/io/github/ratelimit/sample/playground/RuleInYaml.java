package io.github.ratelimit.sample.playground;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.adaptive.LoadSignal;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Rule as an application reads it from its {@code application.yml}.
 */
final class RuleInYaml {

	private RuleInYaml() {
	}

	static RateLimitRule read(String yaml, String name) {
		PropertySource<?> source = load(yaml);
		AtomicReference<RateLimitRule> rule = new AtomicReference<>();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(source))
			.withPropertyValues("ratelimit.store=local")
			.withBean("load", LoadSignal.class, () -> () -> 0)
			.run((context) -> rule.set(context.getBean(RateLimiterRegistry.class).limiter(name).rule()));
		return rule.get();
	}

	private static PropertySource<?> load(String yaml) {
		try {
			return new YamlPropertySourceLoader().load("yaml", new ByteArrayResource(yaml.getBytes())).get(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
