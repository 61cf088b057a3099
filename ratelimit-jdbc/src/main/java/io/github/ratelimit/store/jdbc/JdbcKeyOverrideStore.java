package io.github.ratelimit.store.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.override.KeyOverrideChanges;
import io.github.ratelimit.override.KeyOverrideStore;
import io.github.ratelimit.override.KeyOverrideText;
import io.github.ratelimit.override.LocalKeyOverrideStore;
import io.github.ratelimit.override.RecordedChange;

/**
 * Store of overrides of keys in the database, in one row for all rules.
 */
final class JdbcKeyOverrideStore implements KeyOverrideStore {

	private final SharedRow<LocalKeyOverrideStore> row;

	JdbcKeyOverrideStore(SharedRow<LocalKeyOverrideStore> row) {
		this.row = row;
	}

	@Override
	public KeyOverrideChanges changes(String knownVersion) {
		return this.row.call((store) -> store.changes(knownVersion));
	}

	@Override
	public Map<String, String> read(String rule) {
		return this.row.call((store) -> store.read(rule));
	}

	@Override
	public Map<String, String> read(String rule, Collection<String> keys) {
		return this.row.call((store) -> store.read(rule, keys));
	}

	@Override
	public Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy) {
		return this.row.call(rule,
				(store) -> store.replace(rule, key, expected, change, RecordedChange.nameOf(changedBy)));
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		this.row.call((store) -> {
			store.removeEnded(rule, keys);
			return true;
		});
	}

	@Override
	public List<RecordedChange> latestChanges() {
		return this.row.call(LocalKeyOverrideStore::latestChanges);
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
