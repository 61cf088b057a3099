package io.github.ratelimit.override;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Store of overrides that instances share. It counts readings, and fails or lets another
 * change overtake the next one when a test asks for it.
 */
final class SharedKeyOverrideStore implements KeyOverrideStore {

	private final LocalKeyOverrideStore kept;

	@Nullable RuntimeException failure;

	@Nullable RuntimeException removalFailure;

	/**
	 * By how much instances overestimate the time of the store.
	 */
	Duration overestimate = Duration.ZERO;

	@Nullable Runnable overtaking;

	int wholeReadings;

	int keysRead;

	SharedKeyOverrideStore(AtomicLong clock) {
		this.kept = new LocalKeyOverrideStore(clock::get);
	}

	private void check() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

	@Override
	public KeyOverrideChanges changes(String knownVersion) {
		check();
		KeyOverrideChanges changes = this.kept.changes(knownVersion);
		return new KeyOverrideChanges(changes.time() + this.overestimate.toNanos() / 1000, changes.version(),
				changes.keys());
	}

	@Override
	public Map<String, String> read(String rule) {
		check();
		this.wholeReadings++;
		return this.kept.read(rule);
	}

	@Override
	public Map<String, String> read(String rule, Collection<String> keys) {
		check();
		this.keysRead += keys.size();
		return this.kept.read(rule, keys);
	}

	@Override
	public Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy) {
		check();
		Runnable first = this.overtaking;
		this.overtaking = null;
		if (first != null) {
			first.run();
		}
		return this.kept.replace(rule, key, expected, change, changedBy);
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		check();
		if (this.removalFailure != null) {
			throw this.removalFailure;
		}
		this.kept.removeEnded(rule, keys);
	}

	@Override
	public boolean isShared() {
		return true;
	}

}
