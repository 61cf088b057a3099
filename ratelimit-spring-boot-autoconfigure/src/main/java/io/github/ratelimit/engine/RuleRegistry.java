package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.attribute.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
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

	private final WrittenRules written;

	/**
	 * Names that programs and URL rules have asked for.
	 */
	private final Set<String> requested = ConcurrentHashMap.newKeySet();

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
		this.written = new WrittenRules(configured);
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
		RuleDefinition earlier = this.written.annotated(definition.name());
		if (earlier == null) {
			RateLimiter limiter = write(merged(definition, override(definition)));
			this.written.annotate(definition);
			return limiter;
		}
		if (!earlier.agreesWith(definition)) {
			throw RuleNames.unlike(definition, earlier);
		}
		return find(definition.name());
	}

	/**
	 * What the environment says of an annotated rule. A name without its hyphens, which
	 * is all that an environment variable can hold, means the rule all the same; it is no
	 * rule of its own then.
	 */
	private @Nullable RuleDefinition override(RuleDefinition annotation) {
		RuleDefinition override = this.written.overrideOf(annotation);
		if (override == null && annotation.isNameOnly()) {
			throw RuleNames.unknown(annotation, this.written.names(this.limiters.keySet()));
		}
		if (override != null && !override.name().equals(annotation.name())) {
			this.limiters.remove(override.name());
		}
		return override;
	}

	private RateLimitRule merged(RuleDefinition annotation, @Nullable RuleDefinition override) {
		return (override != null) ? annotation.toRule(this::limit, override) : annotation.toRule(this::limit);
	}

	private Limit limit(LimitAttributes attributes) {
		Limit limit = LimitAttributes.NONE.with(LimitAttribute.ALGORITHM, this.defaultAlgorithm)
			.overriddenBy(attributes)
			.toLimit();
		this.engine.judge(limit);
		return limit;
	}

	/**
	 * Judge the rules of the environment that no annotation completed.
	 * @param mistakes takes note of one that cannot be a rule, or throws it
	 */
	public void verify(Consumer<RateLimitConfigurationException> mistakes) {
		for (RuleDefinition definition : this.written.configured()) {
			if (!this.limiters.containsKey(definition.name()) && this.written.annotationOf(definition) == null) {
				attempt(() -> this.engine.judge(definition.toRule(this::limit)), mistakes);
			}
		}
	}

	/**
	 * Find rules of the environment that nothing has used so far and that are probably
	 * misspelt: their name is similar to that of a rule that is used and that the
	 * environment says nothing of.
	 * @return the name that was probably meant, by the name in the environment
	 */
	public SortedMap<String, String> misspelt() {
		return this.written.misspelt(this.requested, this.limiters.keySet());
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
		Set<RelaxedName> gone = this.written.configuredNames();
		for (RuleDefinition definition : definitions) {
			RelaxedName name = RelaxedName.of(definition.name());
			gone.remove(name);
			if (!definition.equals(this.written.configured(name))) {
				attempt(() -> reconfigure(definition), mistakes);
			}
		}
		gone.forEach((name) -> attempt(() -> leaveToItsAnnotation(name), mistakes));
	}

	private void reconfigure(RuleDefinition definition) {
		RuleDefinition annotation = this.written.annotationOf(definition);
		RateLimitRule rule = (annotation != null) ? merged(annotation, definition) : definition.toRule(this::limit);
		checkKey(definition, rule);
		write(rule);
		this.written.configure(definition);
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
		RuleDefinition gone = Objects.requireNonNull(this.written.configured(name));
		RuleDefinition annotation = this.written.annotationOf(gone);
		if (annotation != null) {
			RateLimitRule rule = merged(annotation, null);
			checkKey(gone, rule);
			write(rule);
			this.written.remove(name);
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
		RuleLimiter limiter = find(rule);
		this.requested.add(rule);
		return limiter;
	}

	private RuleLimiter find(String rule) {
		RuleLimiter limiter = this.limiters.get(rule);
		if (limiter == null) {
			throw new IllegalArgumentException(
					"There is no rate limit rule \"" + rule + "\"." + RuleNames.known(rule, this.limiters.keySet()));
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
		return new RuleSources(this.written.annotated(rule), this.written.configured(RelaxedName.of(rule)),
				this.programmed.contains(rule), this.overridden.of(rule));
	}

}
