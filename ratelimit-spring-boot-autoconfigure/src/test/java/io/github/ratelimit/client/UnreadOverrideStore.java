package io.github.ratelimit.client;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalClock;
import org.jspecify.annotations.Nullable;

/**
 * Store of overrides that confirms a change, and does not answer when it is read after
 * that.
 */
final class UnreadOverrideStore implements OverrideStore {

	private final LocalOverrideStore kept;

	private volatile boolean changed;

	UnreadOverrideStore(LocalClock clock) {
		this.kept = new LocalOverrideStore(clock);
	}

	@Override
	public OverrideChanges changes(String knownVersion) {
		if (this.changed) {
			throw new StoreException("silent", null);
		}
		return this.kept.changes(knownVersion);
	}

	@Override
	public Map<String, String> read(String group) {
		return this.kept.read(group);
	}

	@Override
	public Map<String, String> read(String group, Collection<String> names) {
		return this.kept.read(group, names);
	}

	@Override
	public Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy) {
		this.changed = true;
		return this.kept.replace(group, name, expected, change, changedBy);
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		this.kept.removeEnded(rule, keys);
	}

	@Override
	public List<RecordedChange> latestChanges() {
		return this.kept.latestChanges();
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
