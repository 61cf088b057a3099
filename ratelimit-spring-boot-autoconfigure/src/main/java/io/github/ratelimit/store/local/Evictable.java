package io.github.ratelimit.store.local;

/**
 * Counts of one rule and key that are dropped when they equal unused ones, or evicted.
 * Guarded by its own lock, except {@link #wasCalled()}, which is for the {@link Circle}
 * only and may miss a call.
 */
abstract class Evictable {

	private final LocalRule rule;

	private final String key;

	private final long keptUntil;

	private boolean gone;

	private boolean called;

	/**
	 * Create a new instance.
	 * @param keptUntil the time from which it may be dropped if nothing is counted
	 */
	Evictable(LocalRule rule, String key, long keptUntil) {
		this.rule = rule;
		this.key = key;
		this.keptUntil = keptUntil;
	}

	/**
	 * Create a copy that calls do not find.
	 */
	Evictable(Evictable other) {
		this(other.rule, other.key, 0);
	}

	final String key() {
		return this.key;
	}

	final String ruleName() {
		return this.rule.name();
	}

	/**
	 * Return whether it was dropped as unused, so that nothing may be counted here.
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
	 * Return whether nothing counts.
	 */
	abstract boolean isUnused(long now);

	/**
	 * Drop it if it equals an unused one.
	 */
	final boolean dropIfUnused(long now) {
		if (this.keptUntil > now) {
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
	 * Drop it although it may still count.
	 */
	final void drop() {
		this.rule.entries().remove(this.key, this);
	}

	final void called() {
		this.called = true;
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
