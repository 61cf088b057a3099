package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Reader of the arguments of Spring Cloud Gateway's filter {@code RateLimit}. Gateway
 * cuts a shortcut at commas, so a key that contains some arrives as a key and further,
 * unnamed arguments.
 *
 * @param beans the beans, which have the rules and are visible to expressions
 * @param answers the auto-configuration that answers denied requests
 */
record ConfiguredRouteLimits(ConfigurableListableBeanFactory beans, Class<?> answers) {

	private static final ConfigurationPropertyName GATEWAY = ConfigurationPropertyName.of("spring.cloud.gateway");

	private static final List<String> KNOWN = List.of("rule", "key", "cost", "unless");

	/** Number of the arguments that a shortcut has, the first ones. */
	private static final int SHORTCUT = 2;

	private static final String UNNAMED = "_genkey_";

	/**
	 * Refuse the shortcuts in properties that end with a comma. Gateway leaves it out,
	 * and YAML leaves out a key that begins with {@code #}.
	 */
	static void verifyShortcuts(Environment environment, Mistakes mistakes) {
		StrictBinding.sources(environment)
			.forEach((source) -> source.filter(GATEWAY::isAncestorOf)
				.forEach((name) -> verifyShortcut(name, environment, mistakes)));
	}

	private static void verifyShortcut(ConfigurationPropertyName name, Environment environment, Mistakes mistakes) {
		ConfigurationProperty property = PropertyOrigin.property(name, environment);
		String filter = (property != null)
				? environment.resolvePlaceholders(String.valueOf(property.getValue())).strip() : "";
		if (filter.startsWith("RateLimit=") && filter.endsWith(",")) {
			mistakes.accept(new RateLimitConfigurationException(
					name + " = \"" + filter + "\" is invalid: there is no key after the comma."
							+ new PropertyOrigin(property.getOrigin(), true).sentence(),
					"Write " + filter
							+ " ip for example, or remove the comma. In YAML, \" #\" begins a comment: quote a "
							+ "filter whose key contains it."));
		}
	}

	RateLimitOperation operation(@Nullable String route, Map<String, String> written) {
		Map<String, String> arguments = named(written);
		String location = ((route != null) ? "Gateway route \"" + route + "\"" : "Gateway route") + ": RateLimit";
		requireAnswers(location);
		refuseUnknown(arguments, location);
		String rule = arguments.get("rule");
		return RateLimitOperation.ofRequests(
				new RegisteredRules(this.beans).limiter(location, (rule == null || rule.isBlank()) ? null : rule),
				location, key(arguments, location), arguments.get("cost"), arguments.get("unless"), null,
				new ExpressionBeans(this.beans));
	}

	private void requireAnswers(String location) {
		if (this.beans.getBeanProvider(WebRequests.class).getIfAvailable() == null) {
			throw new RateLimitConfigurationException(
					location + " is invalid: nothing answers a denied request, because " + this.answers.getSimpleName()
							+ " is excluded.",
					"Remove " + this.answers.getName()
							+ " from the excluded auto-configurations, or RateLimit from the route.");
		}
	}

	/** Name the arguments of a shortcut, which Gateway Server MVC has numbered. */
	private static Map<String, String> named(Map<String, String> written) {
		Map<String, String> named = new LinkedHashMap<>(written);
		for (int i = 0; i < SHORTCUT; i++) {
			String value = named.remove(UNNAMED + i);
			if (value != null) {
				named.put(KNOWN.get(i), value);
			}
		}
		return named;
	}

	private static void refuseUnknown(Map<String, String> arguments, String location) {
		arguments.forEach((name, value) -> {
			if (!KNOWN.contains(name) && !name.startsWith(UNNAMED)) {
				throw new InvalidAttributeException(name, '"' + value + '"',
						"there is no such argument. Known: " + String.join(", ", KNOWN) + "."
								+ NearestName.suggestion(name, KNOWN),
						NearestName.of(name, KNOWN)
							.map((nearest) -> "Write `" + nearest + ": " + value + "`.")
							.orElse("Remove it, or write a known one."))
					.at(location + '.' + name);
			}
		});
	}

	private static @Nullable String key(Map<String, String> arguments, String location) {
		String first = arguments.get("key");
		List<String> parts = new ArrayList<>();
		parts.add(first);
		for (int i = 2; arguments.containsKey(UNNAMED + i); i++) {
			parts.add(arguments.get(UNNAMED + i));
		}
		if (parts.size() == 1) {
			return first;
		}
		String key = String.join(", ", parts);
		if (parts.stream().anyMatch(ConfiguredRouteLimits::cutsText)) {
			throw new InvalidAttributeException("key", '"' + key + '"',
					"a text in it contains a comma, and Gateway cuts shortcuts at commas.",
					"Write the filter in its full form, name: RateLimit with args: {rule: " + arguments.get("rule")
							+ ", key: \"…\"}.")
				.at(location + ".key");
		}
		return key;
	}

	/** Return whether a part begins or ends within a text of the expression. */
	private static boolean cutsText(String part) {
		return part.chars().filter((c) -> c == '\'').count() % 2 != 0
				|| part.chars().filter((c) -> c == '"').count() % 2 != 0;
	}

}
