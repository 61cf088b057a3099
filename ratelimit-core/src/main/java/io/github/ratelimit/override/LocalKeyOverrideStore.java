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
 * Store of overrides of keys that are kept as a whole: in this process, for this instance
 * only and until it ends, or in another {@linkplain OverridePlace place}.
 *
 * @since 0.1.0
 */
public final class LocalKeyOverrideStore implements KeyOverrideStore, OverridePlace.Content {

	private static final int REMEMBERED_CHANGES = 1_000;

	/**
	 * The form of the bytes.
	 */
	private static final int FORM = 1;

	private final Map<String, Map<String, String>> texts = new TreeMap<>();

	private final Deque<Change> changes = new ArrayDeque<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	private final OverridePlace place;

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
		this(OverridePlace.local(clock));
	}

	/**
	 * Create a new store.
	 * @param place the place of the overrides
	 */
	public LocalKeyOverrideStore(OverridePlace place) {
		this.place = place;
	}

	@Override
	public void read(byte[] bytes) {
		this.version = 0;
		this.forgotten = 0;
		this.texts.clear();
		this.changes.clear();
		this.history.clear();
		if (bytes.length > 0) {
			StateInput from = new StateInput(bytes);
			from.form(FORM);
			this.version = from.number();
			this.forgotten = from.number();
			for (int left = from.count(); left > 0; left--) {
				LocalOverrideStore.readTexts(from, ofRule(from.text()));
			}
			for (int left = from.count(); left > 0; left--) {
				this.changes.addLast(new Change(from.number(), from.text(), from.text()));
			}
			LocalOverrideStore.readHistory(from, this.history);
			from.end();
		}
	}

	@Override
	public byte[] toBytes() {
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
	public KeyOverrideChanges changes(String knownVersion) {
		return this.place.call(null, this, () -> changes(knownVersion.isEmpty() ? 0 : Long.parseLong(knownVersion)));
	}

	private KeyOverrideChanges changes(long known) {
		Map<String, Set<String>> changed = new TreeMap<>();
		this.changes.stream()
			.filter((change) -> change.version > known)
			.forEach((change) -> changed.computeIfAbsent(change.rule, (rule) -> new HashSet<>()).add(change.key));
		return new KeyOverrideChanges(this.place.now(), String.valueOf(this.version),
				(known < this.forgotten || known > this.version) ? null : changed);
	}

	@Override
	public Map<String, String> read(String rule) {
		return this.place.call(null, this, () -> Map.copyOf(ofRule(rule)));
	}

	@Override
	public Map<String, String> read(String rule, Collection<String> keys) {
		return this.place.call(null, this, () -> {
			Map<String, String> known = ofRule(rule);
			return keys.stream().filter(known::containsKey).collect(Collectors.toMap((key) -> key, known::get));
		});
	}

	private Map<String, String> ofRule(String rule) {
		return this.texts.computeIfAbsent(rule, (name) -> new TreeMap<>());
	}

	@Override
	public Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy) {
		return this.place.call(rule, this,
				() -> replaceHere(rule, key, expected, change, RecordedChange.nameOf(changedBy)));
	}

	private Result replaceHere(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy) {
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
		long now = this.place.now() / 1000;
		String text = (change != null) ? change.at(now) : "";
		if (change != null) {
			known.put(key, text);
		}
		else {
			known.remove(key);
		}
		LocalOverrideStore.record(this.history, new RecordedChange(Instant.ofEpochMilli(now), changedBy, rule, key,
				Objects.toString(present, ""), text));
		long next = Math.max(this.version + 1, this.place.now());
		this.forgotten = (this.version == 0) ? next - 1 : this.forgotten;
		this.version = next;
		this.changes.addLast(new Change(next, rule, key));
		if (this.changes.size() > REMEMBERED_CHANGES) {
			this.forgotten = this.changes.removeFirst().version;
		}
		return Result.DONE;
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		this.place.call(null, this, () -> {
			long now = this.place.now() / 1000;
			Map<String, String> known = ofRule(rule);
			keys.forEach((key) -> known.computeIfPresent(key,
					(present, text) -> (KeyOverrideText.end(text) <= now) ? null : text));
			return true;
		});
	}

	@Override
	public List<RecordedChange> latestChanges() {
		return this.place.call(null, this, () -> List.copyOf(this.history));
	}

	@Override
	public boolean isShared() {
		return this.place.isShared();
	}

	private record Change(long version, String rule, String key) {

	}

}
