package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.CandidateFigures;
import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.RuleCandidates;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.StoreException;

/**
 * Overrides of rules at run time, for every instance and until they are removed.
 *
 * @since 0.1.0
 */
public final class RuleOverrideRegistry implements AutoCloseable {

	private static final Logger logger = System.getLogger(RuleOverrideRegistry.class.getName());

	private final RuleRegistry registry;

	private final OverrideStore store;

	private final Clock clock;

	private final AppliedOverrides known;

	private final OverrideWatch watch;

	private final @Nullable KeyOverrideRegistry keys;

	/**
	 * Create an instance without overrides.
	 * @param registry the rules that are overridden
	 * @param store the store of the overrides
	 * @param clock the clock that dates overrides
	 */
	public RuleOverrideRegistry(RuleRegistry registry, OverrideStore store, Clock clock) {
		this(registry, store, clock, null);
	}

	/**
	 * Create an instance without overrides.
	 * @param registry the rules that are overridden
	 * @param store the store of the overrides
	 * @param clock the clock that dates overrides
	 * @param keys the overrides of single keys, read by the same thread
	 */
	public RuleOverrideRegistry(RuleRegistry registry, OverrideStore store, Clock clock,
			@Nullable KeyOverrideRegistry keys) {
		this.registry = registry;
		this.store = store;
		this.clock = clock;
		this.keys = keys;
		this.known = new AppliedOverrides(registry);
		this.watch = (keys != null)
				? new OverrideWatch(store.isShared() || keys.isShared(), store::listen, List.of(this::read, keys::read))
				: new OverrideWatch(store.isShared(), store::listen, List.of(this::read));
	}

	private synchronized void read() {
		StoredOverrides read = this.store.read(this.known.version());
		if (read != null) {
			this.known.replaceBy(read);
		}
		if (this.registry.hasFigures()) {
			new RuleCandidates(this.registry, this.store.figures()).publish();
		}
	}

	/**
	 * Return the figures of the candidates of a rule over all instances, at most a few
	 * seconds old.
	 * @param rule the name of the rule
	 * @return the figures by the name of the candidate
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store cannot answer
	 */
	public Map<String, CandidateFigures.Sum> figures(String rule) {
		return this.registry.hasFigures() ? new RuleCandidates(this.registry, this.store.figures()).figures(rule)
				: Map.of();
	}

	/**
	 * Read the stored overrides, now and whenever they change. The first reading is
	 * awaited for a second at most.
	 */
	public void start() {
		this.watch.start();
	}

	/**
	 * Return whether overrides reach other instances and outlive this one.
	 * @return {@code false} if they hold in this process only
	 */
	public boolean isShared() {
		return this.store.isShared();
	}

	/**
	 * Return the overrides that this instance has read.
	 * @return the overrides, of rules of this application and of others that share the
	 * store, ordered by name
	 */
	public Collection<RuleOverride> inForce() {
		return this.known.all();
	}

	/**
	 * Override values of a rule, in addition to earlier overrides.
	 * @param rule the name of the rule
	 * @param mode its mode, or {@code null} to leave it
	 * @param limit the name of the limit to change, {@code null} for the only one
	 * @param changes the attributes of the limit to change
	 * @return the whole override of the rule
	 * @throws RateLimitConfigurationException if the override does not fit the rule
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the change
	 * @throws ConflictingChangeException if others keep changing the rule
	 */
	public RuleOverride change(String rule, @Nullable Mode mode, @Nullable String limit, LimitAttributes changes) {
		return change(rule, mode, limit, changes, RecordedChange.APPLICATION);
	}

	/**
	 * Override values of a rule, in addition to earlier overrides.
	 * @param rule the name of the rule
	 * @param mode its mode, or {@code null} to leave it
	 * @param limit the name of the limit to change, {@code null} for the only one
	 * @param changes the attributes of the limit to change
	 * @param changedBy who makes the change
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
		RuleOverride override = new RuleOverride(rule, mode, limits,
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
		this.registry.validate(override.after(earlier(rule)));
		return ConflictingChangeException.repeat(rule, () -> {
			read();
			String text = this.known.text(rule); // before the override, which is never
													// older
			RuleOverride all = override.after(earlier(rule));
			this.registry.validate(all);
			return isReplaced(rule, text, OverrideText.of(all), changedBy) ? all : null;
		});
	}

	/**
	 * Make the numbers of a candidate those of its rule, as {@link #change} does. The
	 * candidate stays.
	 * @param rule the name of the rule
	 * @param candidate the name of the candidate
	 * @param changedBy who adopts it
	 * @return the whole override of the rule
	 * @throws RateLimitConfigurationException if there is no such candidate, or it
	 * differs from the rule by more than {@code max} and {@code period}
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the change
	 * @throws ConflictingChangeException if others keep changing the rule
	 */
	public RuleOverride adopt(String rule, String candidate, String changedBy) {
		RateLimitRule current = this.registry.limiter(rule).rule();
		return change(rule, null, AdoptedLimits.of(current, candidate), changedBy);
	}

	/**
	 * Try a candidate beside a rule, instead of an earlier one of the same name.
	 * @param rule the name of the rule
	 * @param candidate the name of the candidate
	 * @param limit the name of the limit that it changes, {@code null} for the only one
	 * @param attributes what differs from the rule
	 * @param changedBy who makes the change
	 * @throws RateLimitConfigurationException if the candidate does not fit the rule
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the change
	 * @throws ConflictingChangeException if others keep changing the candidate
	 */
	public void tryCandidate(String rule, String candidate, @Nullable String limit, LimitAttributes attributes,
			String changedBy) {
		RateLimitRule changed = this.registry.limiter(rule).rule();
		String name = (limit == null || nameOf(changed, limit).equals(RuleOverride.ONLY_LIMIT)) ? null
				: nameOf(changed, limit);
		CandidateOverride override = new CandidateOverride(rule, candidate, CandidateText.definition(name, attributes),
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
		new RuleCandidates(this.registry, null).validate(override);
		replace(CandidateText.field(rule, candidate), CandidateText.of(override), changedBy);
	}

	/**
	 * Remove a candidate of a rule, also one that the properties define.
	 * @param rule the name of the rule
	 * @param candidate the name of the candidate
	 * @param changedBy who removes it
	 * @return {@code false} if there is no such candidate
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store does not confirm the removal
	 * @throws ConflictingChangeException if others keep changing the candidate
	 */
	public boolean removeCandidate(String rule, String candidate, String changedBy) {
		if (!this.registry.limiter(rule).rule().candidates().containsKey(candidate)) {
			return false;
		}
		CandidateOverride removal = new CandidateOverride(rule, candidate, null,
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
		replace(CandidateText.field(rule, candidate),
				new RuleCandidates(this.registry, null).isWritten(rule, candidate) ? CandidateText.of(removal) : null,
				changedBy);
		return true;
	}

	private void replace(String field, @Nullable String text, String changedBy) {
		ConflictingChangeException.repeat(field, () -> {
			read();
			return isReplaced(field, this.known.text(field), text, changedBy) ? field : null;
		});
	}

	private boolean isReplaced(String field, @Nullable String expected, @Nullable String text, String changedBy) {
		boolean isReplaced = this.store.replace(field, expected, text, changedBy);
		if (isReplaced) {
			putIntoForce();
		}
		return isReplaced;
	}

	/**
	 * Put a stored change into force, later if the store does not answer now.
	 */
	private void putIntoForce() {
		try {
			read();
		}
		catch (StoreException ex) {
			logger.log(Level.DEBUG, "A change of a rule will be in force when the store answers again", ex);
		}
	}

	/**
	 * Return the earlier override. One that no longer fits the rule is replaced, not
	 * completed.
	 */
	private @Nullable RuleOverride earlier(String rule) {
		RuleOverride earlier = this.known.find(rule);
		if (earlier == null) {
			return null;
		}
		try {
			this.registry.validate(earlier);
			return earlier;
		}
		catch (RateLimitConfigurationException ex) {
			return null;
		}
	}

	/**
	 * Return the name of a limit, given by its own name or by that in decisions.
	 */
	private static String nameOf(RateLimitRule rule, @Nullable String limit) {
		if (limit == null) {
			return RuleOverride.ONLY_LIMIT;
		}
		List<Limit> limits = rule.limits();
		for (Limit each : limits) {
			if (limit.equals(each.name()) || limit.equals(rule.nameOf(each))) {
				return (limits.size() == 1) ? RuleOverride.ONLY_LIMIT : String.valueOf(each.name());
			}
		}
		return limit;
	}

	/**
	 * Remove the override of a rule.
	 * @param rule the name of the rule
	 * @return {@code false} if nothing was overridden
	 * @throws StoreException if the store does not confirm the removal
	 * @throws ConflictingChangeException if others keep changing the rule
	 */
	public boolean remove(String rule) {
		return remove(rule, RecordedChange.APPLICATION);
	}

	/**
	 * Remove the override of a rule.
	 * @param rule the name of the rule
	 * @param changedBy who removes it
	 * @return {@code false} if nothing was overridden
	 * @throws StoreException if the store does not confirm the removal
	 * @throws ConflictingChangeException if others keep changing the rule
	 */
	public boolean remove(String rule, String changedBy) {
		return ConflictingChangeException.repeat(rule, () -> {
			read();
			String text = this.known.text(rule);
			boolean isOver = text == null || isReplaced(rule, text, null, changedBy);
			return isOver ? text != null : null;
		});
	}

	/**
	 * Remove the overrides of all rules, and all changes of candidates.
	 * @throws StoreException if the store does not confirm a removal
	 * @throws ConflictingChangeException if others keep changing a rule
	 */
	public void removeAll() {
		this.known.fields().forEach((field) -> replace(field, null, RecordedChange.APPLICATION));
	}

	/**
	 * Return the latest changes of rules and of single keys.
	 * @return {@value RecordedChange#KEPT} at most, the latest first
	 * @throws StoreException if the store does not answer
	 */
	public List<RecordedChange> latestChanges() {
		return Stream
			.concat(this.store.latestChanges().stream(),
					(this.keys != null) ? this.keys.latestChanges().stream() : Stream.of())
			.sorted(Comparator.comparing(RecordedChange::at).reversed())
			.limit(RecordedChange.KEPT)
			.toList();
	}

	/**
	 * Stop following changes.
	 */
	@Override
	public void close() {
		this.watch.close();
		this.store.close();
	}

}
