package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.ratelimit.KeyLists;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * What is known of single keys without counting their calls: overrides, as last read by
 * this instance, blocks of this instance alone, and the lists of rules. An override wins
 * over a list. Overrides and blocks end by themselves, by the clock of their store. While
 * there are none, a call reads one field.
 *
 * @since 0.1.0
 */
public final class VerdictSource {

	/** Bound on the keys of one rule that are blocked in this instance alone. */
	static final int MOST_BLOCKS = 10_000;

	/** Those of the rules that have overrides or blocks. */
	private final Map<String, OfRule> rules = new ConcurrentHashMap<>();

	/** Names of the rules that have overrides or blocks. */
	private volatile Set<String> inUse = Set.of();

	private final Runnable whenUseChanges;

	private final Consumer<RateLimitRule> validator;

	/** Clock of the store, that of this process until the store's is known. */
	private volatile LongSupplier clock = () -> System.currentTimeMillis() * 1000;

	/**
	 * Create an instance without overrides.
	 * @param whenUseChanges follows the first override of a rule, and the last one
	 * @param validator refuses a rule that cannot be counted with the numbers of a key
	 */
	public VerdictSource(Runnable whenUseChanges, Consumer<RateLimitRule> validator) {
		this.whenUseChanges = whenUseChanges;
		this.validator = validator;
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

	boolean isEmpty(String rule) {
		return !this.inUse.contains(rule);
	}

	/**
	 * Find the verdict on the key of a call.
	 * @return the verdict, or {@code null} if the rule applies to it as to other keys
	 */
	@Nullable Verdict find(Demand demand) {
		Verdict known = this.inUse.isEmpty() ? null : ofRule(demand.rule().name()).find(demand.key(), this.clock);
		return (known != null && !isIgnored(known, demand)) ? known : ListedKeys.find(demand);
	}

	/**
	 * Return whether a rule cannot have the numbers of a key. What it leaves free for
	 * other classes does not matter.
	 */
	private static boolean isIgnored(Verdict known, Demand demand) {
		RuleCounts counts = RuleVariants.of(demand.counts()).withoutClass();
		return known instanceof KeyNumbers numbers && numbers.of(counts) == counts;
	}

	/**
	 * Return whether calls of a key are counted, by the numbers of its rule or by others.
	 */
	boolean isCounted(Demand demand) {
		Verdict verdict = find(demand);
		return verdict == null || verdict instanceof KeyNumbers;
	}

	boolean isCounted(RuleCounts counts, String key) {
		return (this.inUse.isEmpty() && counts.rule().lists() == KeyLists.NONE)
				|| isCounted(new Demand(counts, key, 0));
	}

	Demand withNumbers(Demand demand) {
		OverriddenKey key = this.inUse.isEmpty() ? null
				: ofRule(demand.rule().name()).override(demand.key(), this.clock);
		return (key != null && key.verdict() instanceof KeyNumbers numbers)
				? demand.withCounts(numbers.of(demand.counts())) : demand;
	}

	@Nullable KeyOverride find(String rule, String key) {
		OverriddenKey found = ofRule(rule).override(StoredKey.of(key), this.clock);
		return (found != null) ? found.override() : null;
	}

	/** Return a copy of the overrides of a rule that are in force, by key. */
	public Map<String, KeyOverride> of(String rule) {
		return ofRule(rule).keys.values()
			.stream()
			.filter((each) -> !each.isOver(this.clock))
			.collect(Collectors.toUnmodifiableMap(OverriddenKey::key, OverriddenKey::override));
	}

	private OfRule ofRule(String rule) {
		return this.rules.getOrDefault(rule, OfRule.NONE);
	}

	private OfRule findOrCreate(String rule) {
		return this.rules.computeIfAbsent(rule, (name) -> new OfRule());
	}

	/**
	 * Put an override into force, instead of an earlier one of the key.
	 * @param override the override, {@code null} for none
	 */
	public synchronized void put(String rule, String key, @Nullable KeyOverride override) {
		findOrCreate(rule).put(key, override, this.validator);
		checkUse();
	}

	private void checkUse() {
		this.rules.values().removeIf(OfRule::isEmpty);
		if (!this.rules.keySet().equals(this.inUse)) {
			this.inUse = Set.copyOf(this.rules.keySet());
			this.whenUseChanges.run();
		}
	}

	/**
	 * Block a key in this instance alone, unless an override makes it unlimited.
	 * @param time how long; a block that ends later stays
	 * @return the end, by the clock of the overrides
	 * @throws io.github.ratelimit.TooManyOverridesException if too many keys of the rule
	 * are blocked here
	 */
	public synchronized long block(String rule, String key, Duration time) {
		long now = now();
		long end = now + time.toNanos() / 1000;
		if (!findOrCreate(rule).block(StoredKey.of(key), end, now)) {
			throw new TooManyOverridesException(rule, MOST_BLOCKS);
		}
		checkUse();
		return end;
	}

	/**
	 * Forget that a key is blocked in this instance, because it is blocked in all of
	 * them.
	 * @param end the end of that block; a block of this instance that ends later stays
	 */
	public synchronized void forgetBlock(String rule, String key, long end) {
		ofRule(rule).blocks.computeIfPresent(StoredKey.of(key), (blocked, later) -> (later > end) ? later : null);
		checkUse();
	}

	/** Forget blocks of this instance that have ended. */
	public synchronized void forgetEndedBlocks() {
		long now = now();
		for (OfRule rule : this.rules.values()) {
			rule.forgetEndedBlocks(now);
		}
		checkUse();
	}

	/** Forget all blocks of this instance. */
	public synchronized void forgetBlocks() {
		this.rules.values().forEach((rule) -> rule.blocks.clear());
		checkUse();
	}

	/**
	 * Return the keys whose overrides have ended, by rule.
	 * @param time the time, by the clock of the overrides
	 */
	public Map<String, List<String>> ended(long time) {
		Map<String, List<String>> ended = new HashMap<>();
		this.rules.forEach((rule, ofRule) -> {
			List<String> keys = ofRule.keys.values()
				.stream()
				.filter((each) -> each.end <= time)
				.map(OverriddenKey::key)
				.toList();
			if (!keys.isEmpty()) {
				ended.put(rule, keys);
			}
		});
		return ended;
	}

	/**
	 * Return the time at which the next override ends.
	 * @return the time, by the clock of the overrides, or {@link Long#MAX_VALUE}
	 */
	public long nextEnd() {
		return this.rules.values()
			.stream()
			.flatMap((rule) -> rule.keys.values().stream())
			.mapToLong(OverriddenKey::end)
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/**
	 * Replace the overrides of a rule. Those that stay the same are in force all the
	 * time.
	 */
	public synchronized void replace(String rule, Map<String, KeyOverride> overrides) {
		if (overrides.isEmpty() && !this.rules.containsKey(rule)) {
			return;
		}
		for (OverriddenKey known : ofRule(rule).keys.values()) {
			if (!overrides.containsKey(known.key())) {
				put(rule, known.key(), null);
			}
		}
		for (Map.Entry<String, KeyOverride> each : overrides.entrySet()) {
			put(rule, each.getKey(), each.getValue());
		}
	}

	/**
	 * Forget the overrides of other rules, which were removed.
	 * @return the forgotten ones in force, by rule and key
	 */
	public synchronized Map<String, Map<String, KeyOverride>> retainRules(Set<String> registered) {
		Map<String, Map<String, KeyOverride>> forgotten = new HashMap<>();
		for (String rule : this.inUse) {
			if (!registered.contains(rule)) {
				forgotten.put(rule, new HashMap<>(of(rule)));
				replace(rule, Map.of());
			}
		}
		return forgotten;
	}

	private static final class OfRule {

		private static final OfRule NONE = new OfRule();

		private final Map<StoredKey, OverriddenKey> keys = new ConcurrentHashMap<>();

		private final Map<SortedMap<String, Long>, KeyNumbers> numbers = new HashMap<>();

		/** Ends of the blocks of this instance alone. */
		private final Map<StoredKey, Long> blocks = new ConcurrentHashMap<>();

		boolean isEmpty() {
			return this.keys.isEmpty() && this.blocks.isEmpty();
		}

		/**
		 * Find the verdict on a key: the later of two blocks, and a block rather than
		 * other numbers. An unlimited key is not blocked by this instance.
		 */
		@Nullable Verdict find(StoredKey key, LongSupplier clock) {
			Long end = this.blocks.get(key); // first: an override replaces a block
			OverriddenKey found = override(key, clock);
			Verdict override = (found != null) ? found.verdict() : null;
			boolean isBlocked = end != null && !(override instanceof Verdict.Pass) && end > clock.getAsLong()
					&& !(override instanceof Verdict.Deny deny && deny.end() >= end);
			return isBlocked ? new Verdict.Deny(end) : override;
		}

		@Nullable OverriddenKey override(StoredKey key, LongSupplier clock) {
			OverriddenKey found = this.keys.get(key);
			return (found != null && !found.isOver(clock)) ? found : null;
		}

		/**
		 * Block a key, not for a shorter time than it is blocked already.
		 * @return {@code false} if there is no room
		 */
		boolean block(StoredKey key, long end, long now) {
			if (this.blocks.size() >= MOST_BLOCKS && !this.blocks.containsKey(key)) {
				forgetEndedBlocks(now);
				if (this.blocks.size() >= MOST_BLOCKS) {
					return false;
				}
			}
			this.blocks.merge(key, end, Math::max);
			return true;
		}

		void forgetEndedBlocks(long now) {
			this.blocks.values().removeIf((end) -> end <= now);
		}

		void put(String key, @Nullable KeyOverride override, Consumer<RateLimitRule> validator) {
			StoredKey stored = StoredKey.of(key);
			OverriddenKey known = this.keys.get(stored);
			if (override == null) {
				this.keys.remove(stored);
			}
			else if (known == null || !known.override().equals(override)) {
				this.keys.put(stored, OverriddenKey.of(key, override,
						(maxima) -> this.numbers.computeIfAbsent(maxima, (same) -> new KeyNumbers(same, validator))));
			}
			forgetUnusedNumbers();
		}

		/** Forget numbers that no key has any more, when most are of that kind. */
		private void forgetUnusedNumbers() {
			if (this.keys.isEmpty() || this.numbers.size() > 2 * this.keys.size()) {
				this.numbers.values()
					.retainAll(this.keys.values().stream().map(OverriddenKey::verdict).collect(Collectors.toSet()));
			}
		}

	}

	/**
	 * Override of one key, prepared for calls.
	 *
	 * @param key the key
	 * @param override the override
	 * @param verdict what it means for calls
	 * @param end its end in microseconds, or {@link Verdict.Deny#FOREVER}
	 */
	private record OverriddenKey(String key, KeyOverride override, Verdict verdict, long end) {

		/**
		 * Prepare an override.
		 * @param numbers returns the shared numbers of keys
		 */
		static OverriddenKey of(String key, KeyOverride override,
				Function<SortedMap<String, Long>, KeyNumbers> numbers) {
			Instant until = override.until();
			long end = (until != null) ? ChronoUnit.MICROS.between(Instant.EPOCH, until) : Verdict.Deny.FOREVER;
			Verdict verdict = override.isBlocked() ? new Verdict.Deny(end)
					: override.isUnlimited() ? Verdict.PASS : numbers.apply(override.maxima());
			return new OverriddenKey(key, override, verdict, end);
		}

		/**
		 * Return whether the override has ended. The clock is read only if there is an
		 * end.
		 */
		boolean isOver(LongSupplier clock) {
			return this.end != Verdict.Deny.FOREVER && clock.getAsLong() >= this.end;
		}

	}

}
