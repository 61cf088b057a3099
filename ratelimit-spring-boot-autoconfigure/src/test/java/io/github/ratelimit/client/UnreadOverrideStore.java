package io.github.ratelimit.client;

import java.util.Collection;
import java.util.Map;

import io.github.ratelimit.override.KeyOverrideChanges;
import io.github.ratelimit.override.KeyOverrideStore;
import io.github.ratelimit.override.KeyOverrideText;
import io.github.ratelimit.override.LocalKeyOverrideStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalClock;
import org.jspecify.annotations.Nullable;

/**
 * Store of overrides that confirms a change, and does not answer when it is read after
 * that.
 */
final class UnreadOverrideStore implements KeyOverrideStore {

	private final LocalKeyOverrideStore kept;

	private volatile boolean changed;

	UnreadOverrideStore(LocalClock clock) {
		this.kept = new LocalKeyOverrideStore(clock);
	}

	@Override
	public KeyOverrideChanges changes(String knownVersion) {
		if (this.changed) {
			throw new StoreException("silent", null);
		}
		return this.kept.changes(knownVersion);
	}

	@Override
	public Map<String, String> read(String rule) {
		return this.kept.read(rule);
	}

	@Override
	public Map<String, String> read(String rule, Collection<String> keys) {
		return this.kept.read(rule, keys);
	}

	@Override
	public Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy) {
		this.changed = true;
		return this.kept.replace(rule, key, expected, change, changedBy);
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		this.kept.removeEnded(rule, keys);
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
