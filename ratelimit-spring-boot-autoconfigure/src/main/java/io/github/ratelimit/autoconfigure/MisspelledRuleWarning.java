package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.engine.RuleRegistry;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warning about unused rules in the properties whose name is similar to that of a used
 * rule. It never stops startup: a program may use a rule later.
 */
final class MisspelledRuleWarning implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = System.getLogger(MisspelledRuleWarning.class.getName());

	private final RuleRegistry registry;

	/**
	 * Rules that are logged already: refreshed child contexts publish events here as
	 * well.
	 */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	MisspelledRuleWarning(RuleRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.registry.misspelled().forEach((written, nearest) -> {
			if (this.logged.add(written)) {
				logger.log(Level.WARNING, "ratelimit.rules." + written
						+ " has had no effect so far: no annotation, no URL rule and no program names the rule \""
						+ written + "\". Did you mean " + nearest + "? Then write ratelimit.rules." + nearest
						+ " instead.");
			}
		});
	}

}
