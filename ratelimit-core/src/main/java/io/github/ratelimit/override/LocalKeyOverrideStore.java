package io.github.ratelimit.override;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Store of overrides of keys in this process, for this instance only and until it ends.
 *
 * @since 0.1.0
 */
public final class LocalKeyOverrideStore implements KeyOverrideStore {

	private static final int REMEMBERED_CHANGES = 1_000;

	private final Map<String, Map<String, String>> texts = new HashMap<>();

	private final Deque<Change> changes = new ArrayDeque<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	private final LongSupplier clock;

	private long version;

	/**
	 * Create a new store.
	 * @param clock the clock by which overrides end, in microseconds since
	 * 1970-01-01T00:00Z
	 */
	public LocalKeyOverrideStore(LongSupplier clock) {
		this.clock = clock;
	}

	@Override
	public synchronized KeyOverrideChanges changes(String knownVersion) {
		long known = knownVersion.isEmpty() ? 0 : Long.parseLong(knownVersion);
		String now = String.valueOf(this.version);
		if (this.version - known > this.changes.size()) {
			return new KeyOverrideChanges(this.clock.getAsLong(), now, null);
		}
		Map<String, Set<String>> changed = new TreeMap<>();
		this.changes.stream()
			.filter((change) -> change.version > known)
			.forEach((change) -> changed.computeIfAbsent(change.rule, (rule) -> new HashSet<>()).add(change.key));
		return new KeyOverrideChanges(this.clock.getAsLong(), now, changed);
	}

	@Override
	public synchronized Map<String, String> read(String rule) {
		return Map.copyOf(ofRule(rule));
	}

	@Override
	public synchronized Map<String, String> read(String rule, Collection<String> keys) {
		Map<String, String> known = ofRule(rule);
		return keys.stream().filter(known::containsKey).collect(Collectors.toMap((key) -> key, known::get));
	}

	private Map<String, String> ofRule(String rule) {
		return this.texts.computeIfAbsent(rule, (name) -> new HashMap<>());
	}

	@Override
	public synchronized Result replace(String rule, String key, @Nullable String expected,
			@Nullable KeyOverrideText change, String changedBy) {
		Map<String, String> known = ofRule(rule);
		String present = known.get(key);
		if (expected != null && !expected.equals((present != null) ? present : "")) {
			return Result.CONFLICT;
		}
		if (change == null && present == null) {
			return Result.ABSENT;
		}
		if (present == null && known.size() >= MOST_PER_RULE) {
			return Result.FULL;
		}
		long now = this.clock.getAsLong() / 1000;
		String text = (change != null) ? change.at(now) : "";
		if (change != null) {
			known.put(key, text);
		}
		else {
			known.remove(key);
		}
		LocalOverrideStore.record(this.history, new RecordedChange(Instant.ofEpochMilli(now), changedBy, rule, key,
				Objects.toString(present, ""), text));
		this.changes.addLast(new Change(++this.version, rule, key));
		if (this.changes.size() > REMEMBERED_CHANGES) {
			this.changes.removeFirst();
		}
		return Result.DONE;
	}

	@Override
	public synchronized void removeEnded(String rule, Collection<String> keys) {
		long now = this.clock.getAsLong() / 1000;
		Map<String, String> known = ofRule(rule);
		keys.forEach((key) -> known.computeIfPresent(key,
				(present, text) -> (KeyOverrideText.end(text) <= now) ? null : text));
	}

	@Override
	public synchronized List<RecordedChange> latestChanges() {
		return List.copyOf(this.history);
	}

	@Override
	public boolean isShared() {
		return false;
	}

	private record Change(long version, String rule, String key) {

	}

}
