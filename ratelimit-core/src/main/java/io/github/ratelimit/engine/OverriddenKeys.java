package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of single keys, as last read by this instance, and blocks of this instance
 * alone. Each ends by itself, by the clock of its store. While there are none, a call
 * reads one field.
 *
 * @since 0.1.0
 */
public final class OverriddenKeys {

	private final Map<String, OfRule> rules = new ConcurrentHashMap<>();

	private final RuleValue<OfRule> ofRule = new RuleValue<>((counts) -> ofRule(counts.rule().name()));

	/**
	 * Names of the rules that have overrides or blocks.
	 */
	private volatile Set<String> inUse = Set.of();

	private final Runnable whenUseChanges;

	private volatile LongSupplier clock = () -> 0;

	/**
	 * Create an instance without overrides.
	 * @param whenUseChanges follows the first override of a rule, and the last one
	 */
	OverriddenKeys(Runnable whenUseChanges) {
		this.whenUseChanges = whenUseChanges;
	}

	/**
	 * Set the clock by which overrides end.
	 * @param storeClock the time in microseconds since 1970-01-01T00:00Z
	 */
	public void endBy(LongSupplier storeClock) {
		this.clock = storeClock;
	}

	long now() {
		return this.clock.getAsLong();
	}

	boolean isEmpty() {
		return this.inUse.isEmpty();
	}

	boolean isEmpty(String rule) {
		return !this.inUse.contains(rule);
	}

	@Nullable KeyRuling find(Demand demand) {
		return this.inUse.isEmpty() ? null : lookUp(demand);
	}

	private @Nullable KeyRuling lookUp(Demand demand) {
		LocalBlocks blocks = this.ofRule.get(demand.counts()).blocks;
		KeyRuling override = findOverride(demand);
		return blocks.isEmpty() ? override : blocks.combine(demand.key(), override, this.clock);
	}

	@Nullable KeyRuling findOverride(Demand demand) {
		OverriddenKey key = this.inUse.isEmpty() ? null : this.ofRule.get(demand.counts()).find(demand.key());
		return (key != null && !key.isOver(this.clock)) ? key.ruling() : null;
	}

	@Nullable KeyOverride find(String rule, String key) {
		OverriddenKey found = ofRule(rule).find(StoredKey.of(key));
		return (found != null && !found.isOver(this.clock)) ? found.override() : null;
	}

	/**
	 * Return the overrides of a rule.
	 * @param rule the name of the rule
	 * @return a copy of those in force, by key
	 */
	public Map<String, KeyOverride> of(String rule) {
		return ofRule(rule).keys.values()
			.stream()
			.filter((each) -> !each.isOver(this.clock))
			.collect(Collectors.toUnmodifiableMap(OverriddenKey::key, OverriddenKey::override));
	}

	private OfRule ofRule(String rule) {
		return this.rules.computeIfAbsent(rule, (name) -> new OfRule());
	}

	/**
	 * Put an override into force, instead of an earlier one of the key.
	 * @param rule the name of the rule
	 * @param key the key
	 * @param override the override, {@code null} for none
	 */
	public synchronized void put(String rule, String key, @Nullable KeyOverride override) {
		ofRule(rule).put(key, override);
		checkUse();
	}

	private void checkUse() {
		Set<String> used = new HashSet<>(this.rules.keySet());
		used.removeIf((rule) -> ofRule(rule).isEmpty && ofRule(rule).blocks.isEmpty());
		if (!used.equals(this.inUse)) {
			this.inUse = Set.copyOf(used);
			this.whenUseChanges.run();
		}
	}

	/**
	 * Block a key in this instance alone, unless an override makes it unlimited.
	 * @param rule the name of the rule
	 * @param key the key
	 * @param time how long; a block that ends later stays
	 * @return the end, by the clock of the overrides
	 * @throws io.github.ratelimit.TooManyOverridesException if too many keys of the rule
	 * are blocked here
	 */
	public synchronized long block(String rule, String key, Duration time) {
		long now = now();
		long end = now + time.toNanos() / 1000;
		if (!ofRule(rule).blocks.block(StoredKey.of(key), end, now)) {
			throw new TooManyOverridesException(rule, LocalBlocks.MOST);
		}
		checkUse();
		return end;
	}

	/**
	 * Forget that a key is blocked in this instance, because it is blocked in all of
	 * them.
	 * @param rule the name of the rule
	 * @param key the key
	 * @param end the end of that block; a block of this instance that ends later stays
	 */
	public synchronized void forgetBlock(String rule, String key, long end) {
		ofRule(rule).blocks.forget(StoredKey.of(key), end);
		checkUse();
	}

	/**
	 * Forget blocks of this instance that have ended.
	 */
	public synchronized void forgetEndedBlocks() {
		long now = now();
		this.rules.values().forEach((rule) -> rule.blocks.forgetEnded(now));
		checkUse();
	}

	/**
	 * Forget all blocks of this instance.
	 */
	public synchronized void forgetBlocks() {
		this.rules.values().forEach((rule) -> rule.blocks.clear());
		checkUse();
	}

	/**
	 * Remove an override that has ended.
	 * @param rule the name of the rule
	 * @param key the key
	 * @return {@code false} if an override of the key is in force
	 */
	public synchronized boolean removeEnded(String rule, String key) {
		if (find(rule, key) != null) {
			return false;
		}
		put(rule, key, null);
		return true;
	}

	/**
	 * Replace the overrides of a rule. Those that stay the same are in force all the
	 * time.
	 * @param rule the name of the rule
	 * @param overrides the overrides by key
	 */
	public synchronized void replace(String rule, Map<String, KeyOverride> overrides) {
		OfRule known = ofRule(rule);
		known.keys.values()
			.stream()
			.map(OverriddenKey::key)
			.filter((key) -> !overrides.containsKey(key))
			.forEach((key) -> put(rule, key, null));
		overrides.forEach((key, override) -> put(rule, key, override));
	}

	/**
	 * Overrides of one rule.
	 */
	private static final class OfRule {

		private final Map<StoredKey, OverriddenKey> keys = new ConcurrentHashMap<>();

		private final Map<SortedMap<String, Long>, KeyNumbers> numbers = new HashMap<>();

		private final LocalBlocks blocks = new LocalBlocks();

		private volatile boolean isEmpty = true;

		@Nullable OverriddenKey find(StoredKey key) {
			return this.isEmpty ? null : this.keys.get(key);
		}

		void put(String key, @Nullable KeyOverride override) {
			StoredKey stored = StoredKey.of(key);
			OverriddenKey known = this.keys.get(stored);
			if (override == null) {
				this.keys.remove(stored);
			}
			else if (known == null || !known.override().equals(override)) {
				this.keys.put(stored, OverriddenKey.of(key, override,
						(maxima) -> this.numbers.computeIfAbsent(maxima, KeyNumbers::new)));
			}
			this.isEmpty = this.keys.isEmpty();
			forgetUnusedNumbers();
		}

		/**
		 * Forget numbers that no key has any more, when most are of that kind.
		 */
		private void forgetUnusedNumbers() {
			if (this.isEmpty || this.numbers.size() > 2 * this.keys.size()) {
				this.numbers.values()
					.retainAll(this.keys.values().stream().map(OverriddenKey::ruling).collect(Collectors.toSet()));
			}
		}

	}

}
