package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.engine.RuleOverride;

/**
 * Overrides that this instance has read and put into force.
 */
final class AppliedOverrides {

	private static final Logger logger = System.getLogger(AppliedOverrides.class.getName());

	private final Consumer<Collection<RuleOverride>> rules;

	private volatile StoredOverrides stored = new StoredOverrides("", Map.of());

	private volatile Map<String, RuleOverride> overrides = Map.of();

	/**
	 * Create a new instance without overrides.
	 * @param rules puts overrides into force
	 */
	AppliedOverrides(Consumer<Collection<RuleOverride>> rules) {
		this.rules = rules;
	}

	String version() {
		return this.stored.version();
	}

	@Nullable String text(String rule) {
		return this.stored.texts().get(rule);
	}

	@Nullable RuleOverride find(String rule) {
		return this.overrides.get(rule);
	}

	Collection<RuleOverride> all() {
		return List.copyOf(this.overrides.values());
	}

	/**
	 * Put the stored overrides into force.
	 */
	synchronized void replaceBy(StoredOverrides read) {
		Map<String, String> earlier = this.stored.texts();
		Map<String, RuleOverride> understood = new TreeMap<>();
		read.texts().forEach((rule, text) -> {
			RuleOverride override = understand(rule, text, !text.equals(earlier.get(rule)));
			if (override != null) {
				understood.put(rule, override);
			}
		});
		this.overrides = understood;
		this.stored = read;
		this.rules.accept(all());
		earlier.keySet()
			.stream()
			.filter((rule) -> !read.texts().containsKey(rule))
			.forEach(AppliedOverrides::logRemoval);
	}

	private static @Nullable RuleOverride understand(String rule, String text, boolean isNews) {
		try {
			RuleOverride override = OverrideText.read(rule, text);
			if (isNews) {
				logger.log(Level.INFO, "The rate limit rule \"" + rule + "\" was changed at run time: " + text + '.');
			}
			return override;
		}
		catch (IllegalArgumentException ex) {
			if (isNews) {
				logger.log(Level.ERROR,
						"The stored override of the rate limit rule \"" + rule + "\", \"" + text
								+ "\", is ignored, because it cannot be read: " + ex.getMessage()
								+ ". Change the rule again, or remove the override.");
			}
			return null;
		}
	}

	private static void logRemoval(String rule) {
		logger.log(Level.INFO, "The rate limit rule \"" + rule + "\" is not changed at run time any more.");
	}

}
