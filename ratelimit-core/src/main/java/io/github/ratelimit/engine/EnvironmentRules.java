package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Rules of the environment, which change with it. Callers hold the lock of the registry.
 */
final class EnvironmentRules {

	private final WrittenRules written;

	private final LimiterTable limiters;

	private final Function<LimitAttributes, Limit> limit;

	private final Consumer<RateLimitRule> write;

	/**
	 * Create an instance without rules.
	 * @param limit completes and checks a limit
	 * @param write puts a rule into force
	 */
	EnvironmentRules(WrittenRules written, LimiterTable limiters, Function<LimitAttributes, Limit> limit,
			Consumer<RateLimitRule> write) {
		this.written = written;
		this.limiters = limiters;
		this.limit = limit;
		this.write = write;
	}

	/**
	 * Add the first rules. An annotation may complete an invalid one later.
	 */
	void add(Collection<RuleDefinition> definitions) {
		for (RuleDefinition definition : definitions) {
			attempt(() -> replace(definition), (mistake) -> this.written.configure(definition));
		}
	}

	/**
	 * Replace all rules. A removed rule falls back to its annotation; without one it
	 * stays.
	 * @param mistakes receives an invalid rule, which stays as it was
	 */
	void replace(Collection<RuleDefinition> definitions, Consumer<RateLimitConfigurationException> mistakes) {
		Set<RelaxedName> gone = this.written.configuredNames();
		for (RuleDefinition definition : definitions) {
			gone.remove(RelaxedName.of(definition.name()));
			if (!isKnown(definition)) {
				attempt(() -> replace(definition), mistakes);
			}
		}
		gone.forEach((name) -> attempt(() -> leaveToItsAnnotation(name), mistakes));
	}

	private boolean isKnown(RuleDefinition definition) {
		return definition.equals(this.written.configured(RelaxedName.of(definition.name())));
	}

	private void replace(RuleDefinition definition) {
		RuleDefinition annotation = this.written.annotationOf(definition);
		RateLimitRule rule = (annotation != null) ? annotation.toRule(this.limit, definition)
				: definition.toRule(this.limit);
		checkExpressions(definition, rule);
		this.write.accept(rule);
		this.written.configure(definition);
	}

	private void leaveToItsAnnotation(RelaxedName name) {
		RuleDefinition gone = Objects.requireNonNull(this.written.configured(name));
		RuleDefinition annotation = this.written.annotationOf(gone);
		if (annotation != null) {
			RateLimitRule rule = annotation.toRule(this.limit);
			checkExpressions(gone, rule);
			this.write.accept(rule);
			this.written.remove(name);
		}
	}

	/**
	 * Check that a changed rule keeps its expressions: they are compiled once, for the
	 * methods that use them.
	 */
	private void checkExpressions(RuleDefinition definition, RateLimitRule changed) {
		RateLimitRule inForce = this.limiters.rule(changed.name());
		if (inForce != null) {
			checkSame("key", inForce.key(), changed.key(), definition);
			checkSame("plan", inForce.plan(), changed.plan(), definition);
			checkSame("priority", inForce.priority(), changed.priority(), definition);
			checkSame("zone", inForce.zone(), changed.zone(), definition);
			checkSame("unless", inForce.unless(), changed.unless(), definition);
			checkSame("settle", inForce.settle(), changed.settle(), definition);
		}
	}

	private static void checkSame(String attribute, @Nullable String inForce, @Nullable String changed,
			RuleDefinition definition) {
		if (!Objects.equals(inForce, changed)) {
			throw new InvalidAttributeException(attribute, changed, "it cannot change while the application runs.",
					"Start the application anew.")
				.at(definition.source().at(attribute));
		}
	}

	/**
	 * Verify the rules that no annotation has completed.
	 * @param validator refuses an invalid rule
	 * @param misspelled the name that was probably meant, by that of a rule that nothing
	 * uses
	 * @param mistakes receives an invalid rule, and may throw it
	 */
	void verify(Consumer<RateLimitRule> validator, Map<String, String> misspelled,
			Consumer<RateLimitConfigurationException> mistakes) {
		for (RuleDefinition definition : this.written.configured()) {
			if (!this.limiters.names().contains(definition.name()) && !this.written.isNamed(definition)) {
				attempt(() -> validator.accept(definition.toRule(this.limit)), (mistake) -> mistakes
					.accept(explained(mistake, definition, misspelled.get(definition.name()))));
			}
		}
	}

	private static RateLimitConfigurationException explained(RateLimitConfigurationException mistake,
			RuleDefinition definition, @Nullable String meant) {
		boolean isIncomplete = mistake instanceof InvalidAttributeException invalid && invalid.isMissing();
		return (isIncomplete && meant != null) ? RuleNames.misspelled(definition, meant, mistake) : mistake;
	}

	private static void attempt(Runnable step, Consumer<RateLimitConfigurationException> mistakes) {
		try {
			step.run();
		}
		catch (RateLimitConfigurationException ex) {
			mistakes.accept(ex);
		}
	}

}
