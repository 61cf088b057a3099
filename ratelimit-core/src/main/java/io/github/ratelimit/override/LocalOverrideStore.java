package io.github.ratelimit.override;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;

/**
 * Store of overrides in this process, for this instance only and until it ends. A store
 * that instances share may keep its {@linkplain #toBytes bytes}.
 *
 * @since 0.1.0
 */
public final class LocalOverrideStore implements OverrideStore {

	/**
	 * The form of the bytes.
	 */
	private static final int FORM = 1;

	private final Map<String, String> texts = new TreeMap<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	private final LongSupplier clock;

	/**
	 * Grows with each change, even if all was lost in between: it is a time, or later.
	 */
	private long version;

	/**
	 * Create a new store.
	 * @param clock the clock that dates changes, in microseconds since 1970-01-01T00:00Z
	 */
	public LocalOverrideStore(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Create a store from its bytes.
	 * @param bytes the bytes, none for an empty store
	 * @param clock the clock that dates changes, in microseconds since 1970-01-01T00:00Z
	 * @return the store
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	public static LocalOverrideStore of(byte[] bytes, LongSupplier clock) {
		LocalOverrideStore store = new LocalOverrideStore(clock);
		if (bytes.length > 0) {
			StateInput from = new StateInput(bytes);
			from.form(FORM);
			store.version = from.number();
			readTexts(from, store.texts);
			readHistory(from, store.history);
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
			writeTexts(this.texts, to);
			writeHistory(this.history, to);
		}
		return to.toBytes();
	}

	static void writeTexts(Map<String, String> texts, StateOutput to) {
		to.number(texts.size());
		texts.forEach((name, text) -> {
			to.text(name);
			to.text(text);
		});
	}

	static void readTexts(StateInput from, Map<String, String> texts) {
		for (int left = from.count(); left > 0; left--) {
			texts.put(from.text(), from.text());
		}
	}

	static void writeHistory(Deque<RecordedChange> history, StateOutput to) {
		to.number(history.size());
		history.forEach((change) -> change.write(to));
	}

	static void readHistory(StateInput from, Deque<RecordedChange> history) {
		for (int left = from.count(); left > 0; left--) {
			history.addLast(RecordedChange.read(from));
		}
	}

	@Override
	public synchronized @Nullable StoredOverrides read(String knownVersion) {
		String now = String.valueOf(this.version);
		return now.equals(knownVersion) ? null : new StoredOverrides(now, this.texts);
	}

	@Override
	public synchronized boolean replace(String rule, @Nullable String expected, @Nullable String text,
			String changedBy) {
		if (!Objects.equals(this.texts.get(rule), expected)) {
			return false;
		}
		if (text != null) {
			this.texts.put(rule, text);
		}
		else {
			this.texts.remove(rule);
		}
		this.version = Math.max(this.version + 1, this.clock.getAsLong());
		record(this.history, new RecordedChange(Instant.ofEpochMilli(this.clock.getAsLong() / 1000), changedBy, rule,
				null, Objects.toString(expected, ""), Objects.toString(text, "")));
		return true;
	}

	static void record(Deque<RecordedChange> history, RecordedChange change) {
		if (change.from().equals(change.to())) {
			return;
		}
		history.addFirst(change);
		if (history.size() > RecordedChange.KEPT) {
			history.removeLast();
		}
	}

	@Override
	public synchronized List<RecordedChange> latestChanges() {
		return List.copyOf(this.history);
	}

	@Override
	public boolean isShared() {
		return false;
	}

}
