package io.github.ratelimit.override;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Store of overrides that instances share. It counts readings, and fails, refuses changes
 * or lets another change overtake the next one when a test asks for it.
 */
final class SharedOverrideStore implements OverrideStore {

	private final LocalOverrideStore kept;

	volatile @Nullable RuntimeException failure;

	volatile @Nullable RuntimeException removalFailure;

	volatile @Nullable RuntimeException keysFailure;

	/**
	 * By how much instances overestimate the time of the store.
	 */
	volatile Duration overestimate = Duration.ZERO;

	volatile @Nullable Runnable overtaking;

	volatile boolean refusing;

	volatile int readings;

	/**
	 * Changes the names of keys that have changed.
	 */
	volatile UnaryOperator<String> names = UnaryOperator.identity();

	int wholeReadings;

	int namesRead;

	SharedOverrideStore(LongSupplier clock) {
		this.kept = new LocalOverrideStore(clock);
	}

	private void check(@Nullable RuntimeException failure) {
		if (failure != null) {
			throw failure;
		}
	}

	@Override
	public synchronized OverrideChanges changes(String knownVersion) {
		this.readings++;
		check(this.failure);
		OverrideChanges changes = this.kept.changes(knownVersion);
		return new OverrideChanges(changes.time() + this.overestimate.toNanos() / 1000, changes.rulesVersion(),
				changes.keysVersion(), (changes.keys() != null) ? named(changes.keys()) : null);
	}

	private Map<String, Set<String>> named(Map<String, Set<String>> keys) {
		return keys.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(rule) -> rule.getValue().stream().map(this.names).collect(Collectors.toSet())));
	}

	@Override
	public Map<String, String> read(String group) {
		check(this.failure);
		check(group.equals(RULES) ? null : this.keysFailure);
		this.wholeReadings++;
		return this.kept.read(group);
	}

	@Override
	public Map<String, String> read(String group, Collection<String> names) {
		check(this.failure);
		this.namesRead += names.size();
		return this.kept.read(group, names);
	}

	@Override
	public Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy) {
		check(this.failure);
		Runnable first = this.overtaking;
		this.overtaking = null;
		if (first != null) {
			first.run();
		}
		return this.refusing ? Result.CONFLICT : this.kept.replace(group, name, expected, change, changedBy);
	}

	@Override
	public void removeEnded(String rule, Collection<String> keys) {
		check(this.failure);
		check(this.removalFailure);
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
