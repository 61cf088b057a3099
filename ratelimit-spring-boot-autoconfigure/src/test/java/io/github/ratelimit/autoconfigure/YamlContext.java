package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ByteArrayResource;

/**
 * Properties written as YAML, as in {@code application.yml}.
 */
final class YamlContext {

	private YamlContext() {
	}

	static ApplicationContextInitializer<ConfigurableApplicationContext> with(String yaml) {
		return (context) -> load(yaml, context.getEnvironment());
	}

	static void load(String yaml, ConfigurableEnvironment environment) {
		try {
			new YamlPropertySourceLoader()
				.load("application.yml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
				.forEach(environment.getPropertySources()::addLast);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
