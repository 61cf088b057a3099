package io.github.ratelimit.override;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Store of overrides in this process, for this instance only and until it ends.
 *
 * @since 0.1.0
 */
public final class LocalOverrideStore implements OverrideStore {

	private final Map<String, String> texts = new HashMap<>();

	private final Deque<RecordedChange> history = new ArrayDeque<>();

	private final LongSupplier clock;

	private long version;

	/**
	 * Create a new store.
	 * @param clock the clock that dates changes, in microseconds since 1970-01-01T00:00Z
	 */
	public LocalOverrideStore(LongSupplier clock) {
		this.clock = clock;
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
		this.version++;
		record(this.history, new RecordedChange(Instant.ofEpochMilli(this.clock.getAsLong() / 1000), changedBy, rule,
				null, Objects.toString(expected, ""), Objects.toString(text, "")));
		return true;
	}

	static void record(Deque<RecordedChange> history, RecordedChange change) {
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
