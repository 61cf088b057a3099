package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.VerdictSource;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of keys that this instance has read and put into force. All overrides of a
 * rule are read once; later only keys that have changed are. Ends are measured by the
 * clock of the store, which is the clock of this process plus the measured difference.
 */
final class AppliedKeyOverrides {

	private static final Logger logger = System.getLogger(AppliedKeyOverrides.class.getName());

	/**
	 * Time for which an override that has ended is kept: the clock of the store may be
	 * behind its estimate, and an override that the store still finds in force would stay
	 * there.
	 */
	private static final Duration KEPT = Duration.ofSeconds(1);

	private final RuleRegistry registry;

	private final KeyOverrideStore store;

	private final VerdictSource keys;

	private final LongSupplier clock;

	private final Set<String> readRules = new HashSet<>();

	private final PriorityQueue<End> ends = new PriorityQueue<>();

	private String version = "";

	private volatile long difference;

	AppliedKeyOverrides(RuleRegistry registry, VerdictSource keys, KeyOverrideStore store, LongSupplier clock) {
		this.registry = registry;
		this.store = store;
		this.clock = clock;
		this.keys = keys;
		this.keys.endBy(this::now);
	}

	long now() {
		return this.clock.getAsLong() + this.difference;
	}

	Map<String, KeyOverride> of(String rule) {
		return this.keys.of(rule);
	}

	/**
	 * Read what has changed, and put it into force.
	 * @throws StoreException if the store does not answer
	 */
	synchronized void read() {
		long sent = this.clock.getAsLong();
		KeyOverrideChanges changes = this.store.changes(this.version);
		this.difference = changes.time() - (sent + this.clock.getAsLong()) / 2;
		if (changes.keys() == null) {
			this.readRules.clear();
		}
		else {
			for (Map.Entry<String, Set<String>> changed : changes.keys().entrySet()) {
				read(changed.getKey(), changed.getValue());
			}
		}
		this.version = changes.version();
		readNewRules();
		removeEnded();
		this.keys.forgetEndedBlocks();
	}

	private void read(String rule, Set<String> changed) {
		if (this.readRules.contains(rule)) {
			Map<String, String> texts = this.store.read(rule, changed);
			changed.forEach((key) -> this.keys.put(rule, key, understand(rule, key, texts.get(key))));
		}
	}

	/**
	 * Read rules that are new here. While nothing was ever stored, no call is needed.
	 */
	private void readNewRules() {
		for (RateLimitRule each : this.registry.rules()) {
			String rule = each.name();
			if (!this.readRules.contains(rule)) {
				Map<String, KeyOverride> overrides = new HashMap<>();
				Map<String, String> texts = this.version.isEmpty() ? Map.of() : this.store.read(rule);
				for (Map.Entry<String, String> text : texts.entrySet()) {
					KeyOverride override = understand(rule, text.getKey(), text.getValue());
					if (override != null) {
						overrides.put(text.getKey(), override);
					}
				}
				this.keys.replace(rule, overrides);
				this.readRules.add(rule);
			}
		}
	}

	private @Nullable KeyOverride understand(String rule, String key, @Nullable String text) {
		KeyOverride override = (text != null) ? understand(rule, text) : null;
		if (override != null && override.until() != null) {
			this.ends.add(new End(override.until().toEpochMilli(), rule, key));
		}
		return override;
	}

	/**
	 * Read the text of an override that may have ended.
	 */
	@Nullable KeyOverride inForce(String rule, String text) {
		KeyOverride override = understand(rule, text);
		boolean isOver = override != null && override.until() != null
				&& override.until().toEpochMilli() <= now() / 1000;
		return isOver ? null : override;
	}

	/**
	 * Read the text of an override. An invalid one, perhaps of another version of this
	 * library, is ignored.
	 */
	private static @Nullable KeyOverride understand(String rule, String text) {
		try {
			return KeyOverrideText.read(text);
		}
		catch (IllegalArgumentException ex) {
			logger.log(Level.ERROR,
					"The stored override \"" + text + "\" of a key of the rate limit rule \"" + rule
							+ "\" is ignored, because it cannot be read: " + ex.getMessage()
							+ ". Override the key again, or remove the override.");
			return null;
		}
	}

	/**
	 * Remove overrides that have ended, here and in the store. An end may be that of an
	 * override that was replaced.
	 */
	private void removeEnded() {
		List<End> over = pollEnds();
		if (over.isEmpty()) {
			return;
		}
		try {
			over.stream().collect(Collectors.groupingBy(End::rule)).forEach(this::removeEnded);
		}
		catch (StoreException ex) {
			this.ends.addAll(over);
			throw ex;
		}
	}

	private void removeEnded(String rule, List<End> candidates) {
		List<String> over = candidates.stream()
			.map(End::key)
			.distinct()
			.filter((key) -> this.keys.removeEnded(rule, key))
			.toList();
		this.store.removeEnded(rule, over);
	}

	private List<End> pollEnds() {
		List<End> over = new ArrayList<>();
		long last = now() / 1000 - KEPT.toMillis();
		while (!this.ends.isEmpty() && this.ends.peek().millis <= last) {
			over.add(this.ends.remove());
		}
		return over;
	}

	private record End(long millis, String rule, String key) implements Comparable<End> {

		@Override
		public int compareTo(End other) {
			return Long.compare(this.millis, other.millis);
		}

	}

}
