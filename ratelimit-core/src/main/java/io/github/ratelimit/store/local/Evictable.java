package io.github.ratelimit.store.local;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.KeyCounts;
import io.github.ratelimit.store.RuleCounts;

/**
 * Counts of one rule and key that are dropped when they equal unused ones, or evicted.
 * Guarded by its own lock, except {@link #wasCalled()}, which is for the {@link Circle}
 * only and may miss a call.
 */
abstract class Evictable extends KeyCounts {

	/**
	 * Time for which a new entry is kept for the call that created it.
	 */
	private static final long NEW_MICROS = 1_000_000;

	private final LocalRule rule;

	private final String key;

	private final long createdAt;

	private boolean gone;

	private boolean called = true;

	/**
	 * Create a new instance.
	 * @param createdAt the time of the clock
	 */
	Evictable(LocalRule rule, RuleCounts counts, String key, long createdAt) {
		super(counts);
		this.rule = rule;
		this.key = key;
		this.createdAt = createdAt;
	}

	/**
	 * Create a copy that calls do not find.
	 * @param first a copy of the first count
	 */
	Evictable(Evictable other, Count first) {
		super(other, first);
		this.rule = other.rule;
		this.key = other.key;
		this.createdAt = 0;
	}

	final String key() {
		return this.key;
	}

	final String ruleName() {
		return this.rule.name();
	}

	/**
	 * Return whether it was dropped or evicted, so that nothing may be counted here.
	 */
	final boolean isGone() {
		return this.gone;
	}

	/**
	 * Return whether calls find it.
	 */
	final boolean isKept() {
		return this.rule.entries().get(this.key) == this;
	}

	/**
	 * Let nothing change without the lock.
	 */
	abstract void unpack();

	/**
	 * Drop it if it equals an unused one and was not called lately.
	 */
	final boolean dropIfUnused(long now) {
		return !wasCalled() && dropUnused(now);
	}

	private boolean dropUnused(long now) {
		if (this.createdAt + NEW_MICROS > now) {
			return false;
		}
		synchronized (this) {
			this.gone = isUnused(now);
			if (this.gone) {
				drop();
			}
			return this.gone;
		}
	}

	/**
	 * Return how long it is kept when the store is full.
	 */
	abstract Retention retention(long now);

	/**
	 * Drop it, unless it has to be kept.
	 * @param now the time
	 * @param unusedAt the time as of which it is dropped if nothing counts
	 * @param most the longest retention of those that may be dropped
	 * @param hasChance whether it is kept if it was called recently
	 * @return its retention, or {@code null} if it was dropped
	 */
	final @Nullable Retention evict(long now, long unusedAt, Retention most, boolean hasChance) {
		if (dropUnused(unusedAt)) {
			return null;
		}
		synchronized (this) {
			Retention retention = retention(now);
			if (retention.compareTo(most) > 0 || hasChance && wasCalled()) {
				return retention;
			}
			unpack();
			this.gone = true;
			drop();
			return null;
		}
	}

	/**
	 * Drop it although it may still count.
	 */
	final void drop() {
		this.rule.entries().remove(this.key, this);
	}

	/**
	 * Note a call.
	 */
	final void called() {
		if (!this.called) {
			this.called = true;
		}
	}

	/**
	 * Return whether it was called since the last call of this method.
	 */
	final boolean wasCalled() {
		boolean wasCalled = this.called;
		this.called = false;
		return wasCalled;
	}

}
