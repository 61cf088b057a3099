package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.VerdictSource;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Overrides that this instance has read and put into force. Those of rules are read as a
 * whole when one has changed. Those of the keys of a rule are read once; later only keys
 * that have changed are. Ends are measured by the clock of the store, which is the clock
 * of this process plus the measured difference.
 */
final class AppliedOverrides {

	private static final Logger logger = System.getLogger(AppliedOverrides.class.getName());

	/**
	 * Time for which an override that has ended is kept: the clock of the store may be
	 * behind its estimate, and an override that the store still finds in force would stay
	 * there.
	 */
	private static final Duration KEPT = Duration.ofSeconds(1);

	private final RuleRegistry registry;

	private final VerdictSource keys;

	/** Overrides of the keys of removed rules, until this instance has removed them. */
	private final VerdictSource ofRemovedRules = new VerdictSource(() -> {
	}, (rule) -> {
	});

	private final OverrideStore store;

	private final LongSupplier clock;

	/** Texts of rules and candidates that were read last. */
	private Map<String, String> texts = Map.of();

	private volatile Map<String, RuleOverride> ofRules = Map.of();

	/** Rules whose overrides of keys were read. */
	private final Set<String> readRules = new HashSet<>();

	private String rulesVersion = "";

	/** Whether all rules follow the overrides that were read last. */
	private boolean rulesFollow = true;

	private String keysVersion = "";

	/**
	 * Whether overrides of keys may have been stored. The list of their changes may be
	 * lost without them.
	 */
	private boolean hasKeys;

	/** Time in microseconds before which no override of a key ends. */
	private long nextEnd = Long.MAX_VALUE;

	private volatile long difference;

	AppliedOverrides(RuleRegistry registry, VerdictSource keys, OverrideStore store, LongSupplier clock) {
		this.registry = registry;
		this.store = store;
		this.clock = clock;
		this.keys = keys;
		this.keys.endBy(this::now);
	}

	long now() {
		return this.clock.getAsLong() + this.difference;
	}

	@Nullable RuleOverride ofRule(String rule) {
		return this.ofRules.get(rule);
	}

	Collection<RuleOverride> ofRules() {
		return List.copyOf(this.ofRules.values());
	}

	/**
	 * Read what has changed, and put it into force: first rules, which stay in force if
	 * overrides of keys cannot be read.
	 * @throws StoreException if the store does not answer; what is known stays in force
	 */
	synchronized void read() {
		long sent = this.clock.getAsLong();
		OverrideChanges changes = this.store.changes(this.keysVersion);
		this.difference = changes.time() - (sent + this.clock.getAsLong()) / 2;
		if (!this.rulesFollow || !changes.rulesVersion().equals(this.rulesVersion)) {
			this.rulesFollow = replaceRules(this.store.read(OverrideStore.RULES));
			this.rulesVersion = changes.rulesVersion();
		}
		if (changes.keys() == null) {
			this.readRules.clear();
		}
		else {
			changes.keys().forEach(this::readKeys);
		}
		this.keysVersion = changes.keysVersion();
		this.hasKeys |= !this.keysVersion.isEmpty();
		readNewRules();
		removeEnded();
		this.keys.forgetEndedBlocks();
	}

	/** Put stored changes into force, later if the store does not answer now. */
	void readLatest() {
		try {
			read();
		}
		catch (StoreException ex) {
			logger.log(Level.DEBUG, "Changes at run time will be in force when the store answers again", ex);
		}
	}

	/**
	 * Put the overrides of rules and candidates into force.
	 * @return {@code false} if a rule has failed to follow
	 */
	boolean replaceRules(Map<String, String> read) {
		Map<String, RuleOverride> overrides = new TreeMap<>();
		List<CandidateOverride> candidates = new ArrayList<>();
		read.forEach((name, text) -> {
			if (OverrideText.isOfCandidate(name)) {
				understand(name, text, OverrideText::readCandidate, candidates::add);
			}
			else {
				understand(name, text, OverrideText::readRule, (override) -> overrides.put(name, override));
			}
		});
		this.ofRules = overrides;
		boolean follow = this.registry.override(overrides.values(), candidates);
		this.texts.keySet()
			.stream()
			.filter((name) -> !read.containsKey(name))
			.forEach((name) -> logger.log(Level.INFO,
					OverrideText.subject(name) + " is not changed at run time any more."));
		this.texts = read;
		return follow;
	}

	private <T> void understand(String name, String text, BiFunction<String, String, T> reader,
			Consumer<T> understood) {
		boolean isNews = !text.equals(this.texts.get(name));
		try {
			T override = reader.apply(name, text);
			if (isNews) {
				logger.log(Level.INFO, OverrideText.subject(name) + OverrideText.inWords(text));
			}
			understood.accept(override);
		}
		catch (IllegalArgumentException ex) {
			if (isNews) {
				logger.log(Level.ERROR,
						"The stored override of the rate limit rule \"" + name + "\", \"" + text
								+ "\", is ignored, because it cannot be read: " + reason(ex)
								+ ". Change the rule again, or remove the override.");
			}
		}
	}

	private static String reason(IllegalArgumentException failure) {
		String message = String.valueOf(failure.getMessage());
		return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
	}

	/**
	 * Put changed overrides of keys into force. Those of a removed rule are forgotten; if
	 * it is registered again, all are read.
	 */
	private void readKeys(String rule, Set<String> changed) {
		Map<String, String> read = this.readRules.contains(rule) ? this.store.read(rule, changed) : Map.of();
		changed.forEach((key) -> this.keys.put(rule, key, understandNew(rule, read.get(key))));
	}

	/**
	 * Read the overrides of keys of rules that are new here. While none was ever stored,
	 * no call is needed.
	 */
	private void readNewRules() {
		Set<String> registered = new HashSet<>();
		for (RateLimitRule each : this.registry.rules()) {
			String rule = each.name();
			registered.add(rule);
			if (!this.readRules.contains(rule)) {
				Map<String, KeyOverride> overrides = new HashMap<>();
				Map<String, String> read = this.hasKeys ? this.store.read(rule) : Map.of();
				read.forEach((key, text) -> {
					KeyOverride override = understandNew(rule, text);
					if (override != null) {
						overrides.put(key, override);
					}
				});
				this.keys.replace(rule, overrides);
				this.ofRemovedRules.replace(rule, Map.of());
				this.readRules.add(rule);
			}
		}
		this.readRules.retainAll(registered);
		for (Map.Entry<String, Map<String, KeyOverride>> forgotten : this.keys.retainRules(registered).entrySet()) {
			forgotten.getValue().values().removeIf((override) -> override.until() == null);
			this.ofRemovedRules.replace(forgotten.getKey(), forgotten.getValue());
		}
	}

	private @Nullable KeyOverride understandNew(String rule, @Nullable String text) {
		KeyOverride override = (text != null) ? understandKey(rule, text) : null;
		if (override != null && override.until() != null) {
			this.nextEnd = Math.min(this.nextEnd, override.until().toEpochMilli() * 1000);
		}
		return override;
	}

	/** Read the text of an override that may have ended. */
	@Nullable KeyOverride inForce(String rule, String text) {
		KeyOverride override = understandKey(rule, text);
		boolean isOver = override != null && override.until() != null
				&& override.until().toEpochMilli() <= now() / 1000;
		return isOver ? null : override;
	}

	/**
	 * Read the text of an override. An invalid one, perhaps of another version of this
	 * library, is ignored.
	 */
	private static @Nullable KeyOverride understandKey(String rule, String text) {
		try {
			return OverrideText.readKey(text);
		}
		catch (IllegalArgumentException ex) {
			logger.log(Level.ERROR,
					"The stored override \"" + text + "\" of a key of the rate limit rule \"" + rule
							+ "\" is ignored, because it cannot be read: " + reason(ex)
							+ ". Override the key again, or remove the override.");
			return null;
		}
	}

	/** Remove overrides that have ended, in the store and here. */
	private void removeEnded() {
		long time = now() - KEPT.toNanos() / 1000;
		if (this.nextEnd <= time) {
			for (VerdictSource each : List.of(this.keys, this.ofRemovedRules)) {
				each.ended(time).forEach((rule, over) -> {
					this.store.removeEnded(rule, over);
					over.forEach((key) -> each.put(rule, key, null));
				});
			}
			this.nextEnd = Math.min(this.keys.nextEnd(), this.ofRemovedRules.nextEnd());
		}
	}

}
