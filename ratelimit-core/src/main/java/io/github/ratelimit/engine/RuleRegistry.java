package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.RuleCounts;

/**
 * Registry of all rules of the application. The environment overrides and completes
 * annotations field by field, so a rule of the environment is verified when all
 * annotations are known.
 *
 * <p>
 * The rule as it is written, completed by the defaults, stays beside the rule in force,
 * which is derived anew when either changes. So the environment, programs and operators
 * change rules in any order, and an override also applies to rules that are defined
 * later.
 *
 * @since 0.1.0
 */
public final class RuleRegistry implements RateLimiterRegistry {

	private final RateLimitEngine engine;

	private final LimitAttributes defaults;

	private final WrittenRules written = new WrittenRules();

	private final ConcurrentMap<String, RuleLimiter> limiters = new ConcurrentSkipListMap<>();

	private final OverriddenRules overridden = new OverriddenRules();

	private final Algorithm defaultAlgorithm;

	private final Mode defaultMode;

	/** Names of the rules whose plans annotations select. */
	private final Set<String> planned = ConcurrentHashMap.newKeySet();

	/** Rules whose calls annotations settle, without their other values. */
	private final Map<String, UnaryOperator<RateLimitRule>> settled = new ConcurrentHashMap<>();

	/** Names that programs and URL rules have requested. */
	private final Set<String> requested = ConcurrentHashMap.newKeySet();

	private final Set<String> programmed = ConcurrentHashMap.newKeySet();

	/** Create a new registry that enforces rules without a mode. */
	public RuleRegistry(RateLimitEngine engine, Algorithm defaultAlgorithm, Collection<RuleDefinition> configured) {
		this(engine, defaultAlgorithm, Mode.ENFORCE, configured);
	}

	public RuleRegistry(RateLimitEngine engine, Algorithm defaultAlgorithm, Mode defaultMode,
			Collection<RuleDefinition> configured) {
		this.engine = engine;
		this.defaults = LimitAttributes.NONE.with(LimitAttribute.ALGORITHM, defaultAlgorithm);
		this.defaultAlgorithm = defaultAlgorithm;
		this.defaultMode = defaultMode;
		engine.whenGatesChange(() -> this.limiters.values().forEach(RuleLimiter::refresh));
		// an annotation may complete an invalid one later
		for (RuleDefinition definition : configured) {
			attempt(() -> replace(definition), (mistake) -> this.written.configure(definition));
		}
	}

	/**
	 * Add a rule written as an annotation.
	 * @throws RateLimitConfigurationException if the rule is invalid, or differs from
	 * that of another annotation of the same name
	 */
	public synchronized RuleLimiter define(RuleDefinition definition) {
		this.written.name(definition.name());
		this.written.checkAgreement(definition);
		RuleDefinition earlier = this.written.annotated(definition.name());
		if (earlier == null && definition.isReference()) {
			RuleDefinition announced = this.written.announced(definition.name());
			if (announced != null) {
				return define(announced);
			}
			if (this.programmed.contains(definition.name())) {
				return find(definition.name());
			}
		}
		if (earlier == null || (earlier.isReference() && !definition.isReference())) {
			RuleLimiter limiter = write(definition.toRule(this::limit, override(definition)));
			this.written.annotate(definition);
			return limiter;
		}
		return find(definition.name());
	}

	/**
	 * Announce the definition of a rule by an annotation, before all annotations are
	 * known. If it sets a limit, annotations that only name the rule share it, in any
	 * order of reading.
	 */
	public void announce(RuleDefinition definition) {
		this.written.announce(definition);
	}

	/**
	 * Record that an annotation names a rule, even if the annotation is invalid. The
	 * environment's definition of that rule is then not verified on its own.
	 */
	public void name(String rule) {
		this.written.name(rule);
	}

	/**
	 * Return the definition of an annotated rule by the environment. An environment
	 * variable holds the name without hyphens; such a definition is no rule of its own.
	 */
	private @Nullable RuleDefinition override(RuleDefinition annotation) {
		RuleDefinition override = this.written.overrideOf(annotation);
		if (override == null && annotation.isNameOnly()) {
			Set<String> known = this.written.names(this.limiters.keySet());
			NearestName.of(annotation.name(), known).ifPresent(this.written::name);
			throw unknown(annotation, known);
		}
		if (override != null && !override.name().equals(annotation.name())) {
			drop(override.name());
		}
		return override;
	}

	/** Describe an annotation that sets no limit and names no rule that does. */
	private static RateLimitConfigurationException unknown(RuleDefinition annotation, Collection<String> known) {
		String name = annotation.name();
		String nearest = NearestName.of(name, known)
			.map((rule) -> "Write @RateLimited(\"" + rule + "\"), or define the rule: ")
			.orElse("Define the rule: ");
		return new RateLimitConfigurationException(
				annotation.source().description() + ": max and period are missing, and there is no rule \"" + name
						+ "\" that sets them." + NearestName.known(name, known),
				nearest + "max = 5, period = 60 in the annotation or " + RuleSource.properties(name).description()
						+ ": {max: 5, period: 60s} in the properties.");
	}

	private Limit limit(LimitAttributes attributes) {
		Limit limit = attributes.completedBy(this.defaults).toLimit();
		this.engine.validate(limit);
		return limit;
	}

	/** Note that an annotation selects plans of a rule. */
	public synchronized void plan(String rule) {
		this.planned.add(rule);
		if (!find(rule).rule().hasPlans()) {
			put(find(rule).written());
		}
	}

	/**
	 * Note that an annotation settles the calls of a rule.
	 * @see RateLimitRule#withSettling(boolean, String)
	 */
	public synchronized void settle(String rule, boolean unless, @Nullable String settle) {
		RateLimitRule written = find(rule).written();
		RateLimitRule changed = written.withSettling(unless, settle);
		if (!changed.equals(written)) {
			this.settled.merge(rule, (other) -> other.withSettling(unless, settle),
					(earlier, added) -> (other) -> added.apply(earlier.apply(other)));
			put(written);
		}
	}

	/** Let a program settle the calls of a rule from now on. */
	private void settleByProgram(String rule) {
		if (this.limiters.containsKey(rule)) {
			settle(rule, true, null);
		}
	}

	/**
	 * Verify the rules of the environment that no annotation has completed.
	 * @param mistakes receives an invalid rule, and may throw it
	 */
	public void verify(Consumer<RateLimitConfigurationException> mistakes) {
		Map<String, String> misspelled = misspelled();
		for (RuleDefinition definition : this.written.configured()) {
			if (!this.limiters.containsKey(definition.name()) && !this.written.isNamed(definition.name())) {
				attempt(() -> validate(definition.toRule(this::limit)), (mistake) -> mistakes
					.accept(explained(mistake, definition, misspelled.get(definition.name()))));
			}
		}
	}

	private static RateLimitConfigurationException explained(RateLimitConfigurationException mistake,
			RuleDefinition definition, @Nullable String meant) {
		if (!(mistake instanceof InvalidAttributeException invalid) || !invalid.isMissing()) {
			return mistake;
		}
		if (meant != null) {
			return misspelled(definition, meant, mistake);
		}
		boolean isOfAnnotations = invalid.attribute().equals("max") || invalid.attribute().equals("period");
		return isOfAnnotations ? invalid.under("no annotation names the rule \"" + definition.name() + "\", and ")
				: mistake;
	}

	/**
	 * Describe a rule of the environment that is incomplete, because it probably was to
	 * complete another one.
	 * @param incomplete the mistake of the rule by itself
	 * @param nearest the name that was probably meant
	 */
	private static RateLimitConfigurationException misspelled(RuleDefinition definition, String nearest,
			RateLimitConfigurationException incomplete) {
		return new RateLimitConfigurationException(
				definition.source().description() + " overrides no rule: no annotation and no program names the rule \""
						+ definition.name() + "\". Did you mean " + nearest + "? By itself it is incomplete: "
						+ incomplete.description(),
				"Write " + RuleSource.properties(nearest).description() + " instead. Or complete the rule: "
						+ incomplete.action(),
				incomplete);
	}

	/**
	 * Find rules of the environment that are probably misspelled: nothing has used them
	 * so far, and their name is similar to that of a used rule without properties.
	 * @return the name that was probably meant, by the name in the environment
	 */
	public SortedMap<String, String> misspelled() {
		return this.written.misspelled(this.requested, this.limiters.keySet());
	}

	/**
	 * Replace the rules of the environment. Rules that a program has registered stay as
	 * they are. A removed rule falls back to its annotation; without one it stays. Units
	 * that are counted stay counted.
	 * @param mistakes receives an invalid rule, which stays as it was
	 * @return the names of the rules that stay as they were: invalid ones, and removed
	 * ones without an annotation
	 */
	public synchronized Set<RelaxedName> reconfigure(Collection<RuleDefinition> definitions,
			Consumer<RateLimitConfigurationException> mistakes) {
		Set<RelaxedName> gone = this.written.configuredNames();
		for (RuleDefinition definition : definitions) {
			RelaxedName name = RelaxedName.of(definition.name());
			gone.remove(name);
			if (!definition.equals(this.written.configured(name))) {
				attempt(() -> replace(definition), mistakes);
			}
		}
		gone.forEach((name) -> attempt(() -> leaveToItsAnnotation(name), mistakes));
		Set<RelaxedName> unchanged = this.written.configuredNames();
		for (RuleDefinition definition : definitions) {
			RelaxedName name = RelaxedName.of(definition.name());
			if (definition.equals(this.written.configured(name))) {
				unchanged.remove(name);
			}
			else {
				unchanged.add(name);
			}
		}
		return unchanged;
	}

	private void replace(RuleDefinition definition) {
		if (!this.programmed.contains(definition.name())) {
			RuleDefinition annotation = this.written.annotationOf(definition);
			RateLimitRule rule = (annotation != null) ? annotation.toRule(this::limit, definition)
					: definition.toRule(this::limit);
			checkExpressions(definition, rule);
			write(rule);
		}
		this.written.configure(definition);
	}

	private void leaveToItsAnnotation(RelaxedName name) {
		RuleDefinition gone = Objects.requireNonNull(this.written.configured(name));
		RuleDefinition annotation = this.written.annotationOf(gone);
		if (annotation != null) {
			RateLimitRule rule = annotation.toRule(this::limit);
			checkExpressions(gone, rule);
			write(rule);
			this.written.remove(name);
		}
	}

	/**
	 * Check that a changed rule keeps its expressions: they are compiled once, for the
	 * methods that use them.
	 */
	private void checkExpressions(RuleDefinition definition, RateLimitRule changed) {
		RuleLimiter limiter = this.limiters.get(changed.name());
		if (limiter != null) {
			RateLimitRule inForce = limiter.rule();
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

	private static void attempt(Runnable step, Consumer<RateLimitConfigurationException> mistakes) {
		try {
			step.run();
		}
		catch (RateLimitConfigurationException ex) {
			mistakes.accept(ex);
		}
	}

	@Override
	public RuleLimiter limiter(String rule) {
		RuleLimiter limiter = find(rule);
		this.requested.add(rule);
		return limiter;
	}

	@Override
	public Collection<RateLimitRule> rules() {
		return List.copyOf(this.limiters.values().stream().map(RuleLimiter::rule).toList());
	}

	@Override
	public synchronized RateLimiter register(RateLimitRule rule) {
		RateLimiter limiter = put(rule);
		this.programmed.add(rule.name());
		return limiter;
	}

	@Override
	public synchronized void remove(String rule) {
		RuleProvenance sources = sources(rule);
		if (!sources.isByProgramAlone() || this.written.isNamed(rule)) {
			throw new IllegalArgumentException("Rate limit rule \"" + rule + "\" cannot be removed: an annotation or a "
					+ "property defines or names it. Remove that, or change the rule by register().");
		}
		this.programmed.remove(rule);
		this.requested.remove(rule);
		this.settled.remove(rule);
		drop(rule);
		this.engine.forget(rule);
	}

	/**
	 * Put a rule of an annotation or the environment into force, unless a program has
	 * registered one of its name, which wins.
	 */
	private synchronized RuleLimiter write(RateLimitRule rule) {
		return this.programmed.contains(rule.name()) ? find(rule.name()) : put(rule);
	}

	private RuleLimiter put(RateLimitRule rule) {
		RateLimitRule complete = rule.withDefault(this.defaultAlgorithm).withDefault(this.defaultMode);
		RateLimitRule planned = this.planned.contains(rule.name()) ? complete.withPlans() : complete;
		RateLimitRule written = this.settled.getOrDefault(rule.name(), UnaryOperator.identity()).apply(planned);
		validate(written);
		RuleCounts counts = this.overridden.inForce(written, this.engine::validate);
		this.engine.putIntoForce(counts);
		RuleLimiter limiter = this.limiters.computeIfAbsent(written.name(),
				(name) -> new RuleLimiter(this.engine, this.overridden, this::settleByProgram, written, counts));
		limiter.change(written, counts);
		return limiter;
	}

	/** Refuse a rule that the store cannot count. */
	private void validate(RateLimitRule rule) {
		try {
			this.engine.validate(rule);
		}
		catch (InvalidAttributeException ex) {
			RuleDefinition configured = this.written.configured(RelaxedName.of(rule.name()));
			boolean isConfigured = configured != null && configured.sets(ex.attribute());
			throw ex.at(isConfigured ? configured.source().at(ex.attribute())
					: ex.attribute() + " of \"" + rule.name() + '"');
		}
	}

	private void drop(String rule) {
		RuleLimiter removed = this.limiters.remove(rule);
		if (removed != null) {
			removed.remove();
		}
	}

	private RuleLimiter find(String rule) {
		RuleLimiter limiter = this.limiters.get(rule);
		if (limiter == null) {
			refuseInvalid(rule);
			throw new IllegalArgumentException(
					"There is no rate limit rule \"" + rule + "\"." + NearestName.known(rule, this.limiters.keySet()));
		}
		return limiter;
	}

	/**
	 * Refuse a rule of the environment that is unknown because it is invalid, unless an
	 * annotation may complete it.
	 */
	private void refuseInvalid(String rule) {
		RuleDefinition configured = this.written.configured(RelaxedName.of(rule));
		if (configured != null) {
			try {
				validate(configured.toRule(this::limit));
			}
			catch (InvalidAttributeException ex) {
				if (!ex.isMissing()) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Replace the overrides made at run time. They win over all other sources, now and
	 * later; units that are counted stay counted. An override or a candidate that does
	 * not fit its rule is logged, and the rule stays as it is written.
	 * @param overrides all overrides, of registered rules and of others
	 * @param candidates all changes of candidates, of registered rules and of others
	 * @return {@code false} if a rule has failed to follow; it is tried again by the next
	 * call, even with the same overrides
	 */
	public synchronized boolean override(Collection<RuleOverride> overrides, Collection<CandidateOverride> candidates) {
		return this.overridden.replaceBy(overrides, candidates, (rule) -> {
			RuleLimiter limiter = this.limiters.get(rule);
			if (limiter != null) {
				put(limiter.written());
			}
		});
	}

	/**
	 * Switch off all rules for good, those that are defined later, too. Overrides change
	 * their numbers only.
	 */
	public synchronized void switchOff() {
		this.overridden.switchOff();
		this.limiters.values().forEach((limiter) -> put(limiter.written()));
	}

	/** Return whether candidates have figures, as soon as a rule has tried one. */
	public boolean hasFigures() {
		return this.engine.decider().figures() != null;
	}

	/**
	 * Add the figures of candidates that this instance has counted to those of all
	 * instances, every few seconds. Called in between, it does nothing.
	 * @param sums creates the sums over all instances, {@code null} to count in this
	 * process only
	 */
	public void publishFigures(@Nullable Supplier<FigureStore> sums) {
		Objects.requireNonNull(this.engine.decider().figures()).publish((sums != null) ? sums.get() : null);
	}

	/**
	 * Return the figures of the candidates of a rule over all instances.
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws io.github.ratelimit.store.StoreException if the store cannot answer
	 */
	public Map<String, CandidateFigures.Sum> figures(String rule, @Nullable Supplier<FigureStore> sums) {
		return Objects.requireNonNull(this.engine.decider().figures())
			.of(find(rule).counts(), (sums != null) ? sums.get() : null);
	}

	/**
	 * Return whether there is such a rule, and a property or a program defines the
	 * candidate.
	 */
	public boolean isWritten(String rule, String candidate) {
		return this.limiters.containsKey(rule) && find(rule).written().candidates().containsKey(candidate);
	}

	/**
	 * Check whether a candidate fits its rule.
	 * @throws RateLimitConfigurationException if it does not fit
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public void validate(CandidateOverride candidate) {
		RuleLimiter limiter = find(candidate.rule());
		candidate.applyTo(limiter.rule(), limiter.written());
	}

	/**
	 * Check whether an override fits its rule.
	 * @throws RateLimitConfigurationException if it does not fit
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public void validate(RuleOverride override) {
		this.engine.validate(override.applyTo(find(override.rule()).written()));
	}

	/**
	 * Return the sources of the values of a rule.
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public synchronized RuleProvenance sources(String rule) {
		find(rule);
		return new RuleProvenance(this.written.annotated(rule), this.written.configured(RelaxedName.of(rule)),
				this.programmed.contains(rule), this.overridden.of(rule));
	}

}
