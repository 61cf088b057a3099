package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitConfigurationException;

/**
 * Definitions of rules in annotations and in the environment. A definition of the
 * environment belongs to the annotation of the same relaxed name.
 */
final class WrittenRules {

	private final Map<RelaxedName, RuleDefinition> configured = new ConcurrentHashMap<>();

	private final Map<String, RuleDefinition> annotated = new ConcurrentHashMap<>();

	private final Map<String, RuleDefinition> announced = new ConcurrentHashMap<>();

	private final Map<String, Contradiction> contradictions = new ConcurrentHashMap<>();

	private final Map<String, RuleDefinition> first = new ConcurrentHashMap<>();

	private final Set<RelaxedName> named = ConcurrentHashMap.newKeySet();

	void configure(RuleDefinition definition) {
		this.configured.put(RelaxedName.of(definition.name()), definition);
	}

	void remove(RelaxedName name) {
		this.configured.remove(name);
	}

	void annotate(RuleDefinition definition) {
		this.annotated.put(definition.name(), definition);
	}

	/** Note the attributes of an annotation whose rule is not defined yet. */
	void announce(RuleDefinition definition) {
		name(definition.name());
		if (!definition.isNameOnly()) {
			this.announced.putIfAbsent(definition.name(), definition);
		}
		if (!definition.isReference()) {
			RuleDefinition earlier = this.first.putIfAbsent(definition.name(), definition);
			if (earlier != null && !earlier.source().equals(definition.source()) && !earlier.agreesWith(definition)) {
				this.contradictions.putIfAbsent(definition.name(), new Contradiction(earlier, definition));
			}
		}
	}

	/**
	 * Check that annotations agree about a rule.
	 * @throws RateLimitConfigurationException if announced ones do not, or if the
	 * definition differs from an earlier one
	 */
	void checkAgreement(RuleDefinition definition) {
		Contradiction contradiction = this.contradictions.get(definition.name());
		if (contradiction != null) {
			throw contradiction.exception(definition);
		}
		RuleDefinition earlier = annotated(definition.name());
		if (earlier != null && !earlier.isReference() && !definition.isReference() && !earlier.agreesWith(definition)) {
			throw unlike(definition, earlier);
		}
	}

	/** Return the first announced annotation that sets a limit for a rule. */
	@Nullable RuleDefinition announced(String rule) {
		return this.announced.get(rule);
	}

	/** Note that an annotation names a rule, even if the annotation is invalid. */
	void name(String rule) {
		this.named.add(RelaxedName.of(rule));
	}

	/** Return whether an annotation names a rule, in this or another spelling. */
	boolean isNamed(String rule) {
		return this.named.contains(RelaxedName.of(rule));
	}

	List<RuleDefinition> configured() {
		return List.copyOf(this.configured.values());
	}

	Set<RelaxedName> configuredNames() {
		return new HashSet<>(this.configured.keySet());
	}

	@Nullable RuleDefinition configured(RelaxedName name) {
		return this.configured.get(name);
	}

	@Nullable RuleDefinition annotated(String rule) {
		return this.annotated.get(rule);
	}

	/**
	 * Return the annotation that a definition of the environment overrides or completes.
	 */
	@Nullable RuleDefinition annotationOf(RuleDefinition configuredRule) {
		RelaxedName name = RelaxedName.of(configuredRule.name());
		return this.annotated.values()
			.stream()
			.filter((annotation) -> RelaxedName.of(annotation.name()).equals(name))
			.min(Comparator.comparing(RuleDefinition::name))
			.orElse(null);
	}

	/**
	 * Return the definition of the environment that overrides or completes an annotation.
	 * @throws RateLimitConfigurationException if it belongs to another annotation as well
	 */
	@Nullable RuleDefinition overrideOf(RuleDefinition annotation) {
		RuleDefinition override = this.configured.get(RelaxedName.of(annotation.name()));
		RuleDefinition other = (override != null) ? annotationOf(override) : null;
		if (override != null && other != null && !other.name().equals(annotation.name())) {
			throw RelaxedName.ambiguous(override.source(), other.name(), annotation.name());
		}
		return override;
	}

	/**
	 * Return the names of all rules of the environment and of announced annotations, and
	 * others.
	 */
	Set<String> names(Collection<String> others) {
		Set<String> names = new TreeSet<>(others);
		names.addAll(this.first.keySet());
		this.configured.values().forEach((definition) -> names.add(definition.name()));
		return names;
	}

	/**
	 * Find rules of the environment that nothing uses, but whose name is the one that an
	 * annotated method would have without another, or is similar to that of a rule
	 * without properties.
	 * @param requested the names that programs and URL rules have requested
	 */
	SortedMap<String, String> misspelled(Set<String> requested, Collection<String> rules) {
		Set<String> candidates = new TreeSet<>(rules);
		candidates.removeIf((name) -> this.configured.containsKey(RelaxedName.of(name)));
		SortedMap<String, String> misspelled = new TreeMap<>();
		for (RuleDefinition definition : this.configured.values()) {
			if (!isNamed(definition.name()) && !requested.contains(definition.name())) {
				String otherName = otherName(definition.name());
				if (otherName != null) {
					misspelled.put(definition.name(), otherName);
				}
				else {
					NearestName.of(definition.name(), candidates)
						.ifPresent((nearest) -> misspelled.put(definition.name(), nearest));
				}
			}
		}
		return misspelled;
	}

	/**
	 * Return the name in the annotation of a method from which a name would be derived.
	 */
	private @Nullable String otherName(String derived) {
		for (RuleDefinition annotation : this.annotated.values()) {
			if (derived.equals(annotation.source().derivedName())) {
				return annotation.name();
			}
		}
		return null;
	}

	/** Describe annotations that set different limits for one rule. */
	private static RateLimitConfigurationException unlike(RuleDefinition one, RuleDefinition other) {
		return new RateLimitConfigurationException(
				one.source().description() + " and " + other.source().description() + " both define the rule \""
						+ one.name() + "\", but not alike.",
				"Give them different names, or write the limit once, as ratelimit.rules." + one.name()
						+ ", and only the name in the annotations.");
	}

	/** Two annotations that define one rule differently. */
	private record Contradiction(RuleDefinition first, RuleDefinition second) {

		RateLimitConfigurationException exception(RuleDefinition definition) {
			boolean isThird = !definition.isReference() && !definition.agreesWith(this.first);
			return unlike(isThird ? definition : this.second, this.first);
		}

	}

}
