package io.github.ratelimit.override;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;
import io.github.ratelimit.store.FigureStore;

/**
 * Store of overrides that are kept as a whole: in this process, for this instance only
 * and until it ends, or in another {@linkplain OverridePlace place}.
 *
 * @since 0.1.0
 */
public final class LocalOverrideStore implements OverrideStore, OverridePlace.Content {

	/**
	 * The form of the bytes.
	 */
	private static final int FORM = 1;

	private final Map<String, String> texts = new TreeMap<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	private final OverridePlace place;

	/**
	 * Grows with each change, even if all was lost in between: it is a time, or later.
	 */
	private long version;

	/**
	 * Create a new store.
	 * @param clock the clock that dates changes, in microseconds since 1970-01-01T00:00Z
	 */
	public LocalOverrideStore(LongSupplier clock) {
		this(OverridePlace.local(clock));
	}

	/**
	 * Create a new store.
	 * @param place the place of the overrides
	 */
	public LocalOverrideStore(OverridePlace place) {
		this.place = place;
	}

	@Override
	public void read(byte[] bytes) {
		this.version = 0;
		this.texts.clear();
		this.history.clear();
		if (bytes.length > 0) {
			StateInput from = new StateInput(bytes);
			from.form(FORM);
			this.version = from.number();
			readTexts(from, this.texts);
			readHistory(from, this.history);
			from.end();
		}
	}

	@Override
	public byte[] toBytes() {
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
	public @Nullable StoredOverrides read(String knownVersion) {
		return this.place.call(null, this, () -> {
			String now = String.valueOf(this.version);
			return now.equals(knownVersion) ? null : new StoredOverrides(now, this.texts);
		});
	}

	@Override
	public boolean replace(String rule, @Nullable String expected, @Nullable String text, String changedBy) {
		return this.place.call(rule, this, () -> {
			boolean isExpected = Objects.equals(this.texts.get(rule), expected);
			if (isExpected) {
				this.texts.compute(rule, (same, earlier) -> text);
				long now = this.place.now();
				this.version = Math.max(this.version + 1, now);
				record(this.history,
						new RecordedChange(Instant.ofEpochMilli(now / 1000), RecordedChange.nameOf(changedBy), rule,
								null, Objects.toString(expected, ""), Objects.toString(text, "")));
			}
			return isExpected;
		});
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
	public List<RecordedChange> latestChanges() {
		return this.place.call(null, this, () -> List.copyOf(this.history));
	}

	@Override
	public @Nullable Supplier<FigureStore> figures() {
		return this.place.figures();
	}

	@Override
	public boolean isShared() {
		return this.place.isShared();
	}

}
