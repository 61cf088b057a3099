package io.github.ratelimit.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Keys of one rule that are blocked in this instance alone, beside their overrides. Times
 * are in microseconds of the clock by which overrides end.
 */
final class LocalBlocks {

	/**
	 * Bound on the blocked keys of one rule.
	 */
	static final int MOST = 10_000;

	private final Map<StoredKey, Long> ends = new ConcurrentHashMap<>();

	/**
	 * Block a key, not for a shorter time than it is blocked already.
	 * @return {@code false} if there is no room
	 */
	boolean block(StoredKey key, long end, long now) {
		if (this.ends.size() >= MOST && !this.ends.containsKey(key)) {
			forgetEnded(now);
			if (this.ends.size() >= MOST) {
				return false;
			}
		}
		this.ends.merge(key, end, Math::max);
		return true;
	}

	/**
	 * Forget the block of a key, unless it ends later.
	 */
	void forget(StoredKey key, long end) {
		this.ends.computeIfPresent(key, (blocked, later) -> (later > end) ? later : null);
	}

	void forgetEnded(long now) {
		this.ends.values().removeIf((end) -> end <= now);
	}

	void clear() {
		this.ends.clear();
	}

	boolean isEmpty() {
		return this.ends.isEmpty();
	}

	/**
	 * Return what holds for a key: the later of two blocks, and a block rather than other
	 * numbers. An unlimited key is not blocked here.
	 * @param override the ruling by its override, or {@code null}
	 */
	@Nullable KeyRuling combine(StoredKey key, @Nullable KeyRuling override, LongSupplier clock) {
		Long end = (override instanceof KeyRuling.Exempt) ? null : this.ends.get(key);
		if (end == null || end <= clock.getAsLong()
				|| (override instanceof KeyRuling.Blocked blocked && blocked.end() >= end)) {
			return override;
		}
		return new KeyRuling.Blocked(end);
	}

}
