package io.github.ratelimit.override;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.KeyMaintenance;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.VerdictSource;
import io.github.ratelimit.override.OverrideStore.Result;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of single keys at run time, for every instance, until they end or are
 * removed.
 *
 * @since 0.1.0
 */
public final class KeyOverrideRegistry implements KeyMaintenance.OverrideWriter {

	private static final int LONGEST_KEY = 1_000;

	private static final Duration SAME_END = Duration.ofSeconds(1);

	private final RuleRegistry registry;

	private final KeyMaintenance keys;

	private final OverrideStore store;

	private final AppliedOverrides applied;

	/**
	 * Create an instance without overrides.
	 * @param keys the keys that are overridden
	 * @param store the store of the overrides, of rules too
	 * @param clock the monotonic clock of this process, in microseconds
	 */
	public KeyOverrideRegistry(RuleRegistry registry, KeyMaintenance keys, OverrideStore store, LongSupplier clock) {
		this.registry = registry;
		this.keys = keys;
		this.store = store;
		this.applied = new AppliedOverrides(registry, keys.verdicts(), store, clock);
	}

	/**
	 * Return the keys as this instance knows them, with its own blocks.
	 * @return the keys, whose overrides and blocks end by the clock of the store
	 */
	public VerdictSource here() {
		return this.keys.verdicts();
	}

	/** Return the overrides of a rule in force that this instance has read, by key. */
	public Map<String, KeyOverride> of(String rule) {
		return here().of(rule);
	}

	/**
	 * Override a key, instead of an earlier override.
	 * @throws RateLimitConfigurationException if the override does not fit the rule
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws TooManyOverridesException if too many keys of the rule are overridden
	 * @throws StoreException if the store does not confirm the override
	 */
	@Override
	public void override(String rule, String key, KeyOverride override) {
		this.keys.validate(this.registry.limiter(rule).rule(), override);
		checkKey(key);
		write(rule, key, null, override, RecordedChange.APPLICATION);
		this.applied.readLatest();
	}

	/**
	 * Override a key, in addition to an earlier override. One that no longer fits the
	 * rule is replaced, not completed.
	 * @param change returns the override; gets the earlier one, {@code null} for none
	 * @param changedBy who makes the change
	 * @throws RateLimitConfigurationException if the override does not fit the rule
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws TooManyOverridesException if too many keys of the rule are overridden
	 * @throws StoreException if the store does not confirm the override
	 * @throws ConflictingChangeException if others keep changing the key
	 */
	public void change(String rule, String key, UnaryOperator<@Nullable KeyOverride> change, String changedBy) {
		RateLimitRule changedRule = this.registry.limiter(rule).rule();
		change(changedRule, key, (earlier) -> fitting(changedRule, earlier), change, changedBy);
	}

	private @Nullable KeyOverride fitting(RateLimitRule rule, @Nullable KeyOverride earlier) {
		return (earlier != null && this.keys.misfit(rule, earlier) == null) ? earlier : null;
	}

	private void change(RateLimitRule changedRule, String key, UnaryOperator<@Nullable KeyOverride> filter,
			UnaryOperator<@Nullable KeyOverride> change, String changedBy) {
		String rule = changedRule.name();
		checkKey(key);
		ConflictingChangeException.repeat(rule, () -> {
			String text = this.store.read(rule, List.of(key)).get(key);
			KeyOverride earlier = filter.apply((text != null) ? this.applied.inForce(rule, text) : null);
			KeyOverride changed = Objects.requireNonNull(change.apply(earlier));
			if (changed.equals(earlier)) {
				return changed;
			}
			this.keys.validate(changedRule, changed);
			return (write(rule, key, Objects.toString(text, ""), changed, changedBy) == Result.DONE) ? changed : null;
		});
		this.applied.readLatest();
	}

	/**
	 * Block a key for some time at least. A block that ends later stays, and so does an
	 * override with other numbers or without a limit, since an operator has set it. A
	 * block that ends a little earlier, by a tenth of the time and a second at most,
	 * stays as well: answers to calls in flight arrive one after the other, and mean the
	 * same end.
	 * @return {@code false} if another override of the key stays, and the key is not
	 * blocked
	 * @throws RateLimitConfigurationException if such a key cannot be overridden
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws TooManyOverridesException if too many keys of the rule are overridden
	 * @throws StoreException if the store does not confirm the block
	 * @throws ConflictingChangeException if others keep changing the key
	 */
	public boolean block(String rule, String key, Duration time) {
		AtomicBoolean isBlocked = new AtomicBoolean();
		Duration tenth = time.dividedBy(10);
		Duration least = time.minus((tenth.compareTo(SAME_END) < 0) ? tenth : SAME_END);
		change(this.registry.limiter(rule).rule(), key, UnaryOperator.identity(), (earlier) -> {
			isBlocked.set(earlier == null || earlier.isBlocked());
			return (earlier == null || (earlier.isBlocked() && isOverWithin(least, earlier)))
					? KeyOverride.blocked().lasting(time) : earlier;
		}, RecordedChange.APPLICATION);
		return isBlocked.get();
	}

	private boolean isOverWithin(Duration time, KeyOverride override) {
		Instant now = Instant.EPOCH.plus(this.applied.now(), ChronoUnit.MICROS);
		return override.until() != null && override.until().isBefore(now.plus(time));
	}

	private static void checkKey(String key) {
		Objects.requireNonNull(key, "The key must not be null; \"\" is the one counter of a rule without keys");
		if (key.length() > LONGEST_KEY || !StoredKey.isWellFormed(key)) {
			throw new InvalidAttributeException("key", "a text of " + key.length() + " characters",
					"only well-formed keys of up to " + LONGEST_KEY + " characters can be overridden.",
					"Override another key, or change the whole rule.");
		}
	}

	/**
	 * Write an override. If there is no room, overrides that have ended are removed
	 * first.
	 */
	private Result write(String rule, String key, @Nullable String expected, KeyOverride override, String changedBy) {
		OverrideText text = OverrideText.of(override);
		Result result = this.store.replace(rule, key, expected, text, changedBy);
		if (result == Result.FULL) {
			this.applied.read();
			result = this.store.replace(rule, key, expected, text, changedBy);
		}
		if (result == Result.FULL) {
			throw new TooManyOverridesException(rule, OverrideStore.MOST_PER_RULE);
		}
		return result;
	}

	/**
	 * Remove the override of a key.
	 * @throws StoreException if the store does not confirm the removal
	 */
	@Override
	public boolean remove(String rule, String key) {
		return remove(rule, key, RecordedChange.APPLICATION);
	}

	/**
	 * Remove the override of a key.
	 * @return {@code false} if there was none
	 * @throws StoreException if the store does not confirm the removal
	 */
	public boolean remove(String rule, String key, String changedBy) {
		boolean removed = this.store.replace(rule, key, null, null, changedBy) == Result.DONE;
		this.applied.readLatest();
		return removed;
	}

	OverrideStore store() {
		return this.store;
	}

	/** Return the overrides that this instance has read, of rules too. */
	AppliedOverrides applied() {
		return this.applied;
	}

}
