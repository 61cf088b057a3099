package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.ratelimit.engine.RuleRegistry;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;

/**
 * Warning about unused rules in the properties whose name is similar to that of a used
 * rule. It never stops startup: a program may use a rule later.
 */
final class MisspelledRuleWarning implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = System.getLogger(MisspelledRuleWarning.class.getName());

	private final RuleRegistry registry;

	private final Environment environment;

	/**
	 * Rules that are logged already: refreshed child contexts publish events here as
	 * well.
	 */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	MisspelledRuleWarning(RuleRegistry registry, Environment environment) {
		this.registry = registry;
		this.environment = environment;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.registry.misspelled().forEach((written, nearest) -> {
			if (this.logged.add(written)) {
				logger.log(Level.WARNING, message(written, nearest));
			}
		});
	}

	private String message(String written, String nearest) {
		List<String> variables = variables(written);
		String location = "ratelimit.rules." + written
				+ (variables.isEmpty() ? "" : " (set by " + String.join(", ", variables) + ')');
		String remedy = variables.isEmpty() ? "ratelimit.rules." + nearest
				: variables.stream()
					.map((variable) -> variable.replace(variablePrefix(written), variablePrefix(nearest)))
					.collect(Collectors.joining(", "));
		return location + " has had no effect so far: no annotation, no URL rule and no program names the rule \""
				+ written + "\". Did you mean " + nearest + "? Then write " + remedy + " instead.";
	}

	/**
	 * Return the environment variables that set a rule. They set none of an invalid name.
	 */
	private List<String> variables(String written) {
		return !ConfigurationPropertyName.isValid(written) ? List.of() : PropertyOrigin
			.variablesBelow(ConfigurationPropertyName.of("ratelimit.rules").append(written), this.environment);
	}

	private static String variablePrefix(String rule) {
		return PropertyOrigin.variable("ratelimit.rules." + rule);
	}

}
