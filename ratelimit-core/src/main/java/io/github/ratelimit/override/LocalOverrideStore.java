package io.github.ratelimit.override;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.store.FigureStore;
import org.jspecify.annotations.Nullable;

/**
 * Store of overrides that are kept as a whole: in this process, for this instance only
 * and until it ends, or in other {@linkplain OverridePlace places}.
 *
 * @since 0.1.0
 */
public final class LocalOverrideStore implements OverrideStore {

	private final OverridePlace place;

	private final KeptOverrides ofRules;

	private final KeptOverrides ofKeys;

	/**
	 * Create a new store.
	 * @param clock the clock by which overrides end, in microseconds since
	 * 1970-01-01T00:00Z
	 */
	public LocalOverrideStore(LongSupplier clock) {
		this(OverridePlace.local(clock), OverridePlace.local(clock));
	}

	public LocalOverrideStore(OverridePlace ofRules, OverridePlace ofKeys) {
		this.place = ofRules;
		this.ofRules = new KeptOverrides(ofRules, false);
		this.ofKeys = new KeptOverrides(ofKeys, true);
	}

	private KeptOverrides of(String group) {
		return group.equals(RULES) ? this.ofRules : this.ofKeys;
	}

	@Override
	public OverrideChanges changes(String knownVersion) {
		return this.ofKeys.changes(knownVersion, this.ofRules.version());
	}

	@Override
	public Map<String, String> read(String group) {
		return of(group).read(group);
	}

	@Override
	public Map<String, String> read(String group, Collection<String> names) {
		return of(group).read(group, names);
	}

	@Override
	public Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy) {
		return of(group).replace(group, name, expected, change, changedBy);
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		this.ofKeys.removeEnded(rule, keys);
	}

	@Override
	public List<RecordedChange> latestChanges() {
		return Stream.concat(this.ofRules.history().stream(), this.ofKeys.history().stream())
			.sorted(Comparator.comparing(RecordedChange::at).reversed())
			.limit(RecordedChange.KEPT)
			.toList();
	}

	void clear() {
		this.ofRules.clear();
		this.ofKeys.clear();
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
