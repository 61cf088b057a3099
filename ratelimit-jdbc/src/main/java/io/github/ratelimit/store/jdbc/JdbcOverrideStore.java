package io.github.ratelimit.store.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.StoredOverrides;

/**
 * Store of overrides in the database, in one row for all rules.
 */
final class JdbcOverrideStore implements OverrideStore {

	private final SharedRow<LocalOverrideStore> row;

	JdbcOverrideStore(SharedRow<LocalOverrideStore> row) {
		this.row = row;
	}

	@Override
	public @Nullable StoredOverrides read(String knownVersion) {
		return this.row.call((store) -> store.read(knownVersion));
	}

	@Override
	public boolean replace(String rule, @Nullable String expected, @Nullable String text, String changedBy) {
		return this.row.call(rule, (store) -> store.replace(rule, expected, text, RecordedChange.nameOf(changedBy)));
	}

	@Override
	public List<RecordedChange> latestChanges() {
		return this.row.call(LocalOverrideStore::latestChanges);
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
