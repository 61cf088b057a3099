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
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;
import io.github.ratelimit.override.OverrideStore.Result;
import org.jspecify.annotations.Nullable;

/** Overrides of rules, or those of keys, that a place keeps as a whole. */
final class KeptOverrides implements OverridePlace.Content {

	private static final int REMEMBERED_CHANGES = 1_000;

	private static final int FORM = 1;

	private final OverridePlace place;

	private final boolean areOfKeys;

	/** Texts by group and name. */
	private final Map<String, Map<String, String>> texts = new TreeMap<>();

	private final Deque<Change> changes = new ArrayDeque<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	/**
	 * Grows with each change, even if all was lost in between: it is a time, or later.
	 */
	private long version;

	/** The version whose changes are not remembered any more. */
	private long forgotten;

	KeptOverrides(OverridePlace place, boolean areOfKeys) {
		this.place = place;
		this.areOfKeys = areOfKeys;
	}

	/** Overrides of rules have no changes, since they are read as a whole. */
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
			if (this.areOfKeys) {
				this.forgotten = from.number();
				repeat(from, () -> readTexts(from.text(), from));
				repeat(from, () -> this.changes.addLast(new Change(from.number(), from.text(), from.text())));
			}
			else {
				readTexts(OverrideStore.RULES, from);
			}
			repeat(from, () -> this.history.addLast(RecordedChange.read(from)));
			from.end();
		}
	}

	private void readTexts(String group, StateInput from) {
		repeat(from, () -> of(group).put(from.text(), from.text()));
	}

	private static void repeat(StateInput from, Runnable reading) {
		for (int left = from.count(); left > 0; left--) {
			reading.run();
		}
	}

	@Override
	public byte[] toBytes() {
		StateOutput to = new StateOutput();
		if (this.version > 0) {
			to.number(FORM);
			to.number(this.version);
			if (this.areOfKeys) {
				to.number(this.forgotten);
				this.texts.values().removeIf(Map::isEmpty);
				to.number(this.texts.size());
				this.texts.forEach((rule, ofRule) -> {
					to.text(rule);
					write(ofRule, to);
				});
				to.number(this.changes.size());
				this.changes.forEach((change) -> {
					to.number(change.version);
					to.text(change.group);
					to.text(change.name);
				});
			}
			else {
				write(of(OverrideStore.RULES), to);
			}
			to.number(this.history.size());
			this.history.forEach((change) -> change.write(to));
		}
		return to.toBytes();
	}

	private static void write(Map<String, String> texts, StateOutput to) {
		to.number(texts.size());
		texts.forEach((name, text) -> {
			to.text(name);
			to.text(text);
		});
	}

	private Map<String, String> of(String group) {
		return this.texts.computeIfAbsent(group, (name) -> new TreeMap<>());
	}

	private <R> R call(Supplier<R> action) {
		return this.place.call(null, this, action);
	}

	/** Return the version, empty if nothing was ever stored. */
	String version() {
		return call(this::versionHere);
	}

	private String versionHere() {
		return (this.version > 0) ? String.valueOf(this.version) : "";
	}

	/** Return the changes since a version. */
	OverrideChanges changes(String knownVersion, String rulesVersion) {
		long known = knownVersion.isEmpty() ? 0 : Long.parseLong(knownVersion);
		return call(() -> {
			Map<String, Set<String>> changed = new TreeMap<>();
			this.changes.stream()
				.filter((change) -> change.version > known)
				.forEach((change) -> changed.computeIfAbsent(change.group, (rule) -> new HashSet<>()).add(change.name));
			return new OverrideChanges(this.place.now(), rulesVersion, versionHere(),
					(known < this.forgotten || known > this.version) ? null : changed);
		});
	}

	Map<String, String> read(String group) {
		return call(() -> Map.copyOf(this.texts.getOrDefault(group, Map.of())));
	}

	Map<String, String> read(String group, Collection<String> names) {
		return call(() -> {
			Map<String, String> known = of(group);
			return names.stream().filter(known::containsKey).collect(Collectors.toMap((name) -> name, known::get));
		});
	}

	List<RecordedChange> history() {
		return call(() -> List.copyOf(this.history));
	}

	/** Begin anew, as if nothing was ever stored. */
	void clear() {
		call(() -> {
			read(new byte[0]);
			return true;
		});
	}

	Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy) {
		return this.place.call(this.areOfKeys ? group : name, this,
				() -> replaceHere(group, name, expected, change, RecordedChange.nameOf(changedBy)));
	}

	private Result replaceHere(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy) {
		Map<String, String> known = of(group);
		String present = known.get(name);
		if (expected != null && !expected.equals(Objects.toString(present, ""))) {
			return Result.CONFLICT;
		}
		long now = this.place.now();
		boolean isOver = present != null && OverrideText.end(present) <= now / 1000;
		if ((present == null || isOver) && change == null) {
			known.remove(name);
			return Result.ABSENT;
		}
		if (this.areOfKeys && present == null && known.size() >= OverrideStore.MOST_PER_RULE) {
			return Result.FULL;
		}
		String from = (present == null || isOver) ? "" : present;
		String to = (change != null) ? change.at(now / 1000) : "";
		known.compute(name, (same, earlier) -> (change != null) ? to : null);
		if (!from.equals(to)) {
			this.history.addFirst(new RecordedChange(Instant.ofEpochMilli(now / 1000), changedBy,
					this.areOfKeys ? group : name, this.areOfKeys ? name : null, from, to));
			if (this.history.size() > RecordedChange.KEPT) {
				this.history.removeLast();
			}
		}
		long next = Math.max(this.version + 1, now);
		this.forgotten = (this.version == 0) ? next - 1 : this.forgotten;
		this.version = next;
		this.changes.addLast(new Change(next, group, name));
		if (this.changes.size() > REMEMBERED_CHANGES) {
			this.forgotten = this.changes.removeFirst().version;
		}
		return Result.DONE;
	}

	void removeEnded(String rule, Collection<String> keys) {
		call(() -> {
			long now = this.place.now() / 1000;
			Map<String, String> known = of(rule);
			keys.forEach((key) -> known.computeIfPresent(key,
					(present, text) -> (OverrideText.end(text) <= now) ? null : text));
			return true;
		});
	}

	private record Change(long version, String group, String name) {

	}

}
