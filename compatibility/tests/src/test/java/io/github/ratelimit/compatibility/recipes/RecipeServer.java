package io.github.ratelimit.compatibility.recipes;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.compatibility.Server;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.util.ClassUtils;

/**
 * Runs a recipe on the available server with the recipe's own YAML and the local store.
 */
final class RecipeServer {

	private RecipeServer() {
	}

	/**
	 * Run a recipe.
	 * @param application the configuration class
	 * @param yaml the name of a file in {@code resources/recipes}, or an empty string
	 * @param more further properties, {@code name=value}
	 */
	static Server start(Class<?> application, String yaml, String... more) {
		List<String> properties = new ArrayList<>(List.of("ratelimit.store=local"));
		if (!yaml.isEmpty()) {
			properties.add("spring.config.import=classpath:recipes/" + yaml);
		}
		properties.addAll(List.of(more));
		return Server.start(isServlet() ? WebApplicationType.SERVLET : WebApplicationType.REACTIVE,
				AutoConfigured.class, application, properties.toArray(String[]::new));
	}

	static boolean isServlet() {
		return ClassUtils.isPresent("jakarta.servlet.Servlet", null);
	}

	/**
	 * Auto-configuration of all recipes; the whole of one that has no bean.
	 */
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

}
