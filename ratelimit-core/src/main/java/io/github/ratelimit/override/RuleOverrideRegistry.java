package io.github.ratelimit.override;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.CandidateFigures;
import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.OverrideStore.Result;
import io.github.ratelimit.store.StoreException;

/**
 * Overrides of rules at run time, for every instance and until they are removed.
 *
 * @since 0.1.0
 */
public final class RuleOverrideRegistry implements AutoCloseable {

	private final RuleRegistry registry;

	private final OverrideStore store;

	private final Clock clock;

	private final AppliedOverrides applied;

	private final OverrideWatch watch;

	/**
	 * Create an instance without overrides.
	 * @param keys the overrides of single keys, in the same store and read together
	 * @param clock the clock that dates overrides
	 */
	public RuleOverrideRegistry(RuleRegistry registry, KeyOverrideRegistry keys, Clock clock) {
		this.registry = registry;
		this.store = keys.store();
		this.clock = clock;
		this.applied = keys.applied();
		this.watch = new OverrideWatch(this.store, this::read);
	}

	private void read() {
		this.applied.read();
		if (this.registry.hasFigures()) {
			this.registry.publishFigures(this.store.figures());
		}
	}

	/**
	 * Return the figures of the candidates of a rule over all instances, at most a few
	 * seconds old.
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store cannot answer
	 */
	public Map<String, CandidateFigures.Sum> figures(String rule) {
		return this.registry.hasFigures() ? this.registry.figures(rule, this.store.figures()) : Map.of();
	}

	/**
	 * Read the stored overrides, now and whenever they change. The first reading is
	 * awaited for a second at most.
	 */
	public void start() {
		this.watch.start();
	}

	/** Return whether overrides reach other instances and outlive this one. */
	public boolean isShared() {
		return this.store.isShared();
	}

	/**
	 * Return the overrides that this instance has read, by name: of rules of this
	 * application and of others that share the store.
	 */
	public Collection<RuleOverride> inForce() {
		return this.applied.ofRules();
	}

	/**
	 * Override values of a rule, in addition to earlier overrides.
	 * @param mode its mode, or {@code null} to leave it
	 * @param limit the name of the limit to change, {@code null} for the only one
	 * @return the whole override of the rule
	 * @throws RateLimitConfigurationException if the override does not fit the rule
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the change
	 * @throws ConflictingChangeException if others keep changing the rule
	 */
	public RuleOverride change(String rule, @Nullable Mode mode, @Nullable String limit, LimitAttributes changes,
			String changedBy) {
		RateLimitRule changed = this.registry.limiter(rule).rule();
		SortedMap<String, LimitAttributes> limits = new TreeMap<>();
		if (limit != null || !changes.equals(LimitAttributes.NONE)) {
			limits.put(nameOf(changed, limit), changes);
		}
		return change(rule, mode, limits, changedBy);
	}

	private RuleOverride change(String rule, @Nullable Mode mode, SortedMap<String, LimitAttributes> limits,
			String changedBy) {
		RuleOverride override = new RuleOverride(rule, mode, limits, now());
		this.registry.validate(override.after(fitting(this.applied.ofRule(rule))));
		RuleOverride changed = ConflictingChangeException.repeat(rule, () -> {
			String text = this.store.read(OverrideStore.RULES, List.of(rule)).get(rule);
			RuleOverride all = override.after((text != null) ? earlier(rule, text) : null);
			this.registry.validate(all);
			Result result = this.store.replace(OverrideStore.RULES, rule, Objects.toString(text, ""),
					OverrideText.of(all), changedBy);
			return (result == Result.DONE) ? all : null;
		});
		this.applied.readLatest();
		return changed;
	}

	private Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * Read an earlier override. One that cannot be read or no longer fits the rule is
	 * replaced, not completed.
	 */
	private @Nullable RuleOverride earlier(String rule, String text) {
		try {
			return fitting(OverrideText.readRule(rule, text));
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private @Nullable RuleOverride fitting(@Nullable RuleOverride earlier) {
		try {
			if (earlier != null) {
				this.registry.validate(earlier);
			}
			return earlier;
		}
		catch (RateLimitConfigurationException ex) {
			return null;
		}
	}

	/**
	 * Make the numbers of a candidate those of its rule, as {@link #change} does. The
	 * candidate stays.
	 * @throws RateLimitConfigurationException if there is no such candidate, or it
	 * differs from the rule by more than {@code max} and {@code period}
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the change
	 * @throws ConflictingChangeException if others keep changing the rule
	 */
	public RuleOverride adopt(String rule, String candidate, String changedBy) {
		this.applied.readLatest();
		RateLimitRule current = this.registry.limiter(rule).rule();
		return change(rule, null, adopted(current, candidate), changedBy);
	}

	/**
	 * Return the numbers of a candidate as changes of its rule, of each limit that
	 * differs.
	 * @throws InvalidAttributeException if the candidate differs by more than numbers
	 * that change at run time, or by nothing
	 */
	static SortedMap<String, LimitAttributes> adopted(RateLimitRule rule, String candidate) {
		List<Limit> adopted = rule.candidates().get(candidate);
		if (adopted == null) {
			throw new InvalidAttributeException("adopt", '"' + candidate + '"',
					"the rule \"" + rule.name() + "\" tries "
							+ (rule.candidates().isEmpty() ? "no candidates."
									: String.join(", ", rule.candidates().keySet()) + '.'),
					rule.candidates().isEmpty() ? "Write max, {\"max\": 5} for example." : "Write one of these names.");
		}
		SortedMap<String, LimitAttributes> changes = new TreeMap<>();
		for (int i = 0; i < adopted.size(); i++) {
			Limit own = rule.limits().get(i);
			LimitAttributes ofLimit = changes(rule, candidate, own, adopted.get(i));
			if (!ofLimit.equals(LimitAttributes.NONE)) {
				changes.put(RuleOverride.nameIn(rule, own), ofLimit);
			}
		}
		if (changes.isEmpty()) {
			throw new InvalidAttributeException("adopt", '"' + candidate + '"',
					"the rule \"" + rule.name() + "\" has these numbers already.", "Nothing has to be changed.");
		}
		return changes;
	}

	private static LimitAttributes changes(RateLimitRule rule, String candidate, Limit own, Limit adopted) {
		if (own.algorithm() != adopted.algorithm()) {
			throw refused(candidate, "it counts by " + adopted.algorithm().yamlName() + ", and the rule \""
					+ rule.name() + "\" by " + own.algorithm().yamlName() + ", which does not change at run time.");
		}
		LimitAttributes changes = LimitAttributes.NONE;
		if (own.max() != adopted.max()) {
			changes = changes.with(LimitAttribute.MAX, adopted.max());
		}
		if (own.calendar() == null && !adopted.period().equals(own.period())) {
			changes = changes.with(LimitAttribute.PERIOD, adopted.period());
		}
		Limit changed = changes.applyTo(own);
		if (!LimitAttribute.all()
			.stream()
			.allMatch((each) -> Objects.equals(value(changed, each), value(adopted, each)))) {
			throw refused(candidate, "it differs from the rule \"" + rule.name()
					+ "\" by more than max and period, and nothing else changes at run time.");
		}
		return changes;
	}

	/** Return a value by its effect: what is off may be written or left out. */
	private static @Nullable Object value(Limit limit, LimitAttribute<?> attribute) {
		Object value = limit.get(attribute);
		return Boolean.FALSE.equals(value) ? null : value;
	}

	private static InvalidAttributeException refused(String candidate, String reason) {
		return new InvalidAttributeException("adopt", '"' + candidate + '"', reason,
				"Write its values into the properties of the rule.");
	}

	/**
	 * Try a candidate beside a rule, instead of an earlier one of the same name.
	 * @param limit the name of the limit that it changes, {@code null} for the only one
	 * @param attributes what differs from the rule; all other numbers, those of its other
	 * limits too, become those in force now, and stay when they change at run time
	 * @throws RateLimitConfigurationException if the candidate does not fit the rule
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the change
	 */
	public void tryCandidate(String rule, String candidate, @Nullable String limit, LimitAttributes attributes,
			String changedBy) {
		this.applied.readLatest();
		RateLimitRule changed = this.registry.limiter(rule).rule();
		String name = nameOf(changed, limit);
		RuleOverride ofRule = fitting(this.applied.ofRule(rule));
		SortedMap<String, LimitAttributes> limits = new TreeMap<>((ofRule != null) ? ofRule.limits() : Map.of());
		limits.put(name, attributes.completedBy(limits.getOrDefault(name, LimitAttributes.NONE)));
		CandidateOverride override = new CandidateOverride(rule, candidate, limits, now());
		this.registry.validate(override);
		replace(OverrideText.nameOf(rule, candidate), OverrideText.of(override), changedBy);
	}

	/**
	 * Remove a candidate of a rule, also one that the properties define, or that does not
	 * fit the rule here.
	 * @return {@code false} if there is no such candidate
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the removal
	 */
	public boolean removeCandidate(String rule, String candidate, String changedBy) {
		this.applied.readLatest();
		boolean isTried = this.registry.limiter(rule).rule().candidates().containsKey(candidate);
		boolean isWritten = this.registry.isWritten(rule, candidate);
		if (isWritten && !isTried) {
			return false;
		}
		OverrideText removal = OverrideText.of(new CandidateOverride(rule, candidate, null, now()));
		return replace(OverrideText.nameOf(rule, candidate), isWritten ? removal : null, changedBy) || isTried;
	}

	/** Replace a text, whatever it was. */
	private boolean replace(String name, @Nullable OverrideText text, String changedBy) {
		boolean isReplaced = this.store.replace(OverrideStore.RULES, name, null, text, changedBy) == Result.DONE;
		this.applied.readLatest();
		return isReplaced;
	}

	/** Return the name of a limit, given by its own name or by that in decisions. */
	private static String nameOf(RateLimitRule rule, @Nullable String limit) {
		if (limit == null) {
			return RuleOverride.ONLY_LIMIT;
		}
		return rule.limits()
			.stream()
			.filter((each) -> limit.equals(each.name()) || limit.equals(rule.nameOf(each)))
			.map((each) -> RuleOverride.nameIn(rule, each))
			.findFirst()
			.orElse(limit);
	}

	/**
	 * Remove the override of a rule.
	 * @return {@code false} if nothing was overridden
	 * @throws StoreException if the store does not confirm the removal
	 */
	public boolean remove(String rule, String changedBy) {
		return replace(rule, null, changedBy);
	}

	/**
	 * Remove the overrides of all rules, and all changes of candidates. If they hold in
	 * this process only, remove those of all keys and forget the
	 * {@linkplain #latestChanges() latest changes}, too.
	 * @throws StoreException if the store does not confirm a removal
	 */
	public void removeAll() {
		if (this.store instanceof LocalOverrideStore local && !local.isShared()) {
			local.clear();
		}
		this.store.read(OverrideStore.RULES)
			.keySet()
			.forEach((name) -> replace(name, null, RecordedChange.APPLICATION));
		this.applied.readLatest();
	}

	/**
	 * Return the latest changes of rules and of single keys.
	 * @return {@value RecordedChange#KEPT} at most, the latest first
	 * @throws StoreException if the store does not answer
	 */
	public List<RecordedChange> latestChanges() {
		return this.store.latestChanges();
	}

	/** Stop following changes. */
	@Override
	public void close() {
		this.watch.close();
		this.store.close();
	}

}
