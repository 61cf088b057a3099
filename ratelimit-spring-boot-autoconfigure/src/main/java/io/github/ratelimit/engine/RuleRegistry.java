package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

/**
 * All rules of the application. What the environment says of a rule overrides, field by
 * field, what an annotation says of it; it may also complete it, so a rule of the
 * environment is judged when all annotations are known.
 *
 * @since 0.1.0
 */
public final class RuleRegistry implements RateLimiterRegistry {

	private final RateLimitEngine engine;

	private final Algorithm defaultAlgorithm;

	private final Mode defaultMode;

	private final Map<RelaxedName, RuleDefinition> configured = new ConcurrentHashMap<>();

	private final Map<String, RuleDefinition> annotated = new ConcurrentHashMap<>();

	private final Set<String> programmed = ConcurrentHashMap.newKeySet();

	private final OverriddenRules overridden = new OverriddenRules();

	private final ConcurrentMap<String, RuleLimiter> limiters = new ConcurrentSkipListMap<>();

	/**
	 * Create a new registry that enforces rules that do not say.
	 * @param engine who decides
	 * @param defaultAlgorithm how limits are counted that do not say
	 * @param configured the rules of the environment
	 */
	public RuleRegistry(RateLimitEngine engine, Algorithm defaultAlgorithm, Collection<RuleDefinition> configured) {
		this(engine, defaultAlgorithm, Mode.ENFORCE, configured);
	}

	/**
	 * Create a new registry.
	 * @param engine who decides
	 * @param defaultAlgorithm how limits are counted that do not say
	 * @param defaultMode the mode of rules that do not say
	 * @param configured the rules of the environment
	 */
	public RuleRegistry(RateLimitEngine engine, Algorithm defaultAlgorithm, Mode defaultMode,
			Collection<RuleDefinition> configured) {
		this.engine = engine;
		this.defaultAlgorithm = defaultAlgorithm;
		this.defaultMode = defaultMode;
		configured.forEach((definition) -> this.configured.put(RelaxedName.of(definition.name()), definition));
		for (RuleDefinition definition : configured) {
			try {
				write(definition.toRule(this::limit));
			}
			catch (RateLimitConfigurationException ex) {
				// an annotation may complete it; see verify()
			}
		}
	}

	/**
	 * Add a rule written as an annotation.
	 * @param definition what the annotation says
	 * @return its limiter
	 * @throws RateLimitConfigurationException if it cannot be a rule, or says something
	 * else than another annotation of the same name
	 */
	public synchronized RateLimiter define(RuleDefinition definition) {
		RuleDefinition earlier = this.annotated.get(definition.name());
		if (earlier == null) {
			RateLimiter limiter = write(merged(definition, override(definition)));
			this.annotated.put(definition.name(), definition);
			return limiter;
		}
		if (!earlier.agreesWith(definition)) {
			throw new RateLimitConfigurationException(
					definition.source().description() + " and " + earlier.source().description()
							+ " both define the rule \"" + definition.name() + "\", but not alike.",
					"Give them different names, or write the limit once, as ratelimit.rules." + definition.name()
							+ ", and only the name in the annotations.");
		}
		return limiter(definition.name());
	}

	/**
	 * What the environment says of an annotated rule. A name without its hyphens, which
	 * is all that an environment variable can hold, means the rule all the same; it is no
	 * rule of its own then.
	 */
	private @Nullable RuleDefinition override(RuleDefinition annotation) {
		RuleDefinition override = this.configured.get(RelaxedName.of(annotation.name()));
		if (override == null) {
			return null;
		}
		RuleDefinition other = annotationOf(override);
		if (other != null) {
			throw RelaxedName.ambiguous(override.source(), other.name(), annotation.name());
		}
		if (!override.name().equals(annotation.name())) {
			this.limiters.remove(override.name());
		}
		return override;
	}

	private @Nullable RuleDefinition annotationOf(RuleDefinition configuredRule) {
		RelaxedName name = RelaxedName.of(configuredRule.name());
		return this.annotated.values()
			.stream()
			.filter((annotation) -> RelaxedName.of(annotation.name()).equals(name))
			.min(Comparator.comparing(RuleDefinition::name))
			.orElse(null);
	}

	private RateLimitRule merged(RuleDefinition annotation, @Nullable RuleDefinition override) {
		return (override != null) ? annotation.toRule(this::limit, override) : annotation.toRule(this::limit);
	}

	private Limit limit(LimitAttributes attributes) {
		Limit limit = Limit
			.of(LimitAttributes.NONE.with(LimitAttribute.ALGORITHM, this.defaultAlgorithm).overriddenBy(attributes));
		this.engine.judge(limit);
		return limit;
	}

	/**
	 * Judge the rules of the environment that no annotation completed.
	 * @param mistakes takes note of one that cannot be a rule, or throws it
	 */
	public void verify(Consumer<RateLimitConfigurationException> mistakes) {
		for (RuleDefinition definition : this.configured.values()) {
			if (!this.limiters.containsKey(definition.name()) && annotationOf(definition) == null) {
				attempt(() -> this.engine.judge(definition.toRule(this::limit)), mistakes);
			}
		}
	}

	/**
	 * Judge the rules of the environment that no annotation completed.
	 * @throws RateLimitConfigurationException if one of them cannot be a rule
	 */
	public void verify() {
		verify((mistake) -> {
			throw mistake;
		});
	}

	/**
	 * Take over what the environment says now. Rules of which it says the same as before
	 * stay as they are, even if a program has changed them. What was consumed is kept. A
	 * rule that is not written any more is again what its annotation says; without one it
	 * stays.
	 * @param definitions the rules of the environment
	 * @param mistakes takes note of one that cannot be a rule; the rule stays as it was
	 */
	public synchronized void reconfigure(Collection<RuleDefinition> definitions,
			Consumer<RateLimitConfigurationException> mistakes) {
		Set<RelaxedName> gone = new HashSet<>(this.configured.keySet());
		for (RuleDefinition definition : definitions) {
			RelaxedName name = RelaxedName.of(definition.name());
			gone.remove(name);
			if (!definition.equals(this.configured.get(name))) {
				attempt(() -> reconfigure(definition), mistakes);
			}
		}
		gone.forEach((name) -> attempt(() -> leaveToItsAnnotation(name), mistakes));
	}

	private void reconfigure(RuleDefinition definition) {
		RuleDefinition annotation = annotationOf(definition);
		RateLimitRule rule = (annotation != null) ? merged(annotation, definition) : definition.toRule(this::limit);
		checkKey(definition, rule);
		write(rule);
		this.configured.put(RelaxedName.of(definition.name()), definition);
	}

	/**
	 * Keys are compiled once, for the methods that they are used by.
	 */
	private void checkKey(RuleDefinition definition, RateLimitRule rule) {
		RuleLimiter known = this.limiters.get(rule.name());
		if (known != null && !Objects.equals(known.rule().key(), rule.key())) {
			throw new InvalidAttributeException("key", rule.key(), "it cannot change while the application runs.",
					"Start the application anew.")
				.at(definition.source().at("key"));
		}
	}

	private void leaveToItsAnnotation(RelaxedName name) {
		RuleDefinition gone = Objects.requireNonNull(this.configured.get(name));
		RuleDefinition annotation = annotationOf(gone);
		if (annotation != null) {
			RateLimitRule rule = merged(annotation, null);
			checkKey(gone, rule);
			write(rule);
			this.configured.remove(name);
		}
	}

	private static void attempt(Runnable step, Consumer<RateLimitConfigurationException> mistakes) {
		try {
			step.run();
		}
		catch (RateLimitConfigurationException ex) {
			mistakes.accept(ex);
		}
	}

	@Override
	public RateLimiter limiter(String rule) {
		return find(rule);
	}

	private RuleLimiter find(String rule) {
		RuleLimiter limiter = this.limiters.get(rule);
		if (limiter == null) {
			throw new IllegalArgumentException("There is no rate limit rule \"" + rule + "\". Known: "
					+ (this.limiters.isEmpty() ? "none" : String.join(", ", this.limiters.keySet())) + ".");
		}
		return limiter;
	}

	@Override
	public Collection<RateLimitRule> rules() {
		return List.copyOf(this.limiters.values().stream().map(RuleLimiter::rule).toList());
	}

	@Override
	public synchronized RateLimiter register(RateLimitRule rule) {
		RateLimiter limiter = install(rule);
		this.programmed.add(rule.name());
		return limiter;
	}

	private synchronized RateLimiter write(RateLimitRule rule) {
		RateLimiter limiter = install(rule);
		this.programmed.remove(rule.name());
		return limiter;
	}

	private RateLimiter install(RateLimitRule rule) {
		RateLimitRule written = rule.withDefault(this.defaultAlgorithm).withDefault(this.defaultMode);
		this.engine.judge(written);
		RateLimitRule inForce = this.overridden.inForce(written, this.engine::judge);
		this.engine.prepare(inForce);
		return this.limiters.compute(written.name(), (name, limiter) -> {
			if (limiter == null) {
				return new RuleLimiter(this.engine, written, inForce);
			}
			limiter.change(written, inForce);
			return limiter;
		});
	}

	/**
	 * Take over what is said of rules at run time. It overrides whatever else says
	 * something of them, now and later, and keeps what was consumed. One that a rule
	 * cannot follow is logged, and the rule stays as it is written.
	 * @param overrides all there are, of rules that this registry knows or not
	 */
	public synchronized void override(Collection<RuleOverride> overrides) {
		for (String rule : this.overridden.replaceBy(overrides)) {
			RuleLimiter limiter = this.limiters.get(rule);
			if (limiter != null) {
				install(limiter.written());
			}
		}
	}

	/**
	 * Judge what may be said of a rule at run time.
	 * @param override what is said
	 * @throws RateLimitConfigurationException if the rule cannot follow
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public void judge(RuleOverride override) {
		this.engine.judge(override.applyTo(find(override.rule()).written()));
	}

	/**
	 * Where the values of a rule come from.
	 * @param rule the name of the rule
	 * @return its sources
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public synchronized RuleSources sources(String rule) {
		find(rule);
		return new RuleSources(this.annotated.get(rule), this.configured.get(RelaxedName.of(rule)),
				this.programmed.contains(rule), this.overridden.of(rule));
	}

}
