package io.github.ratelimit.override;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;

/**
 * Store of overrides of keys in this process, for this instance only and until it ends. A
 * store that instances share may keep its {@linkplain #toBytes bytes}.
 *
 * @since 0.1.0
 */
public final class LocalKeyOverrideStore implements KeyOverrideStore {

	private static final int REMEMBERED_CHANGES = 1_000;

	/**
	 * The form of the bytes.
	 */
	private static final int FORM = 1;

	private final Map<String, Map<String, String>> texts = new TreeMap<>();

	private final Deque<Change> changes = new ArrayDeque<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	private final LongSupplier clock;

	/**
	 * Grows with each change, even if all was lost in between: it is a time, or later.
	 */
	private long version;

	/**
	 * The version whose changes are not remembered any more.
	 */
	private long forgotten;

	/**
	 * Create a new store.
	 * @param clock the clock by which overrides end, in microseconds since
	 * 1970-01-01T00:00Z
	 */
	public LocalKeyOverrideStore(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Create a store from its bytes.
	 * @param bytes the bytes, none for an empty store
	 * @param clock the clock by which overrides end, in microseconds since
	 * 1970-01-01T00:00Z
	 * @return the store
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	public static LocalKeyOverrideStore of(byte[] bytes, LongSupplier clock) {
		LocalKeyOverrideStore store = new LocalKeyOverrideStore(clock);
		if (bytes.length > 0) {
			StateInput from = new StateInput(bytes);
			from.form(FORM);
			store.version = from.number();
			store.forgotten = from.number();
			for (int left = from.count(); left > 0; left--) {
				LocalOverrideStore.readTexts(from, store.ofRule(from.text()));
			}
			for (int left = from.count(); left > 0; left--) {
				store.changes.addLast(new Change(from.number(), from.text(), from.text()));
			}
			LocalOverrideStore.readHistory(from, store.history);
			from.end();
		}
		return store;
	}

	/**
	 * Return the bytes of this store.
	 * @return the bytes, none if nothing was ever stored
	 */
	public synchronized byte[] toBytes() {
		StateOutput to = new StateOutput();
		if (this.version > 0) {
			to.number(FORM);
			to.number(this.version);
			to.number(this.forgotten);
			this.texts.values().removeIf(Map::isEmpty);
			to.number(this.texts.size());
			this.texts.forEach((rule, ofRule) -> {
				to.text(rule);
				LocalOverrideStore.writeTexts(ofRule, to);
			});
			to.number(this.changes.size());
			this.changes.forEach((change) -> {
				to.number(change.version);
				to.text(change.rule);
				to.text(change.key);
			});
			LocalOverrideStore.writeHistory(this.history, to);
		}
		return to.toBytes();
	}

	@Override
	public synchronized KeyOverrideChanges changes(String knownVersion) {
		long known = knownVersion.isEmpty() ? 0 : Long.parseLong(knownVersion);
		String now = String.valueOf(this.version);
		if (known < this.forgotten || known > this.version) {
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
		return this.texts.computeIfAbsent(rule, (name) -> new TreeMap<>());
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
		long next = Math.max(this.version + 1, this.clock.getAsLong());
		this.forgotten = (this.version == 0) ? next - 1 : this.forgotten;
		this.version = next;
		this.changes.addLast(new Change(next, rule, key));
		if (this.changes.size() > REMEMBERED_CHANGES) {
			this.forgotten = this.changes.removeFirst().version;
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
