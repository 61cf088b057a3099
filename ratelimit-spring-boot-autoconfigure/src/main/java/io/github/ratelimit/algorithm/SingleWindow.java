package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * Units admitted in one window. The algorithms differ in when it begins and ends.
 */
abstract class SingleWindow extends Count {

	long storedCount;

	boolean storedBegins;

	long count;

	boolean movedBack;

	boolean countsLonger;

	/**
	 * Return the end of the window.
	 */
	abstract long end(Limit limit);

	/**
	 * Store the window with so many units, the last of them counted now.
	 */
	abstract void countUpTo(Limit limit, long units);

	abstract void write(Limit limit);

	@Override
	final long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		return (this.count + cost <= limit.max()) ? 0 : end(limit) - this.at;
	}

	@Override
	final void take(Limit limit, long cost) {
		countUpTo(limit, this.count + cost);
	}

	/**
	 * A denied call fills the window up, but not beyond {@code max}, so a raised limit
	 * does not depend on the number of attempts. If the limit was lowered, the excess
	 * stays.
	 */
	@Override
	final void takeDenied(Limit limit, long cost, long max) {
		countUpTo(limit, Math.max(this.count, Math.min(max, this.count + cost)));
	}

	@Override
	final boolean correct(Limit limit) {
		boolean corrected = this.movedBack || this.countsLonger;
		if (corrected) {
			write(limit);
			this.countsLonger = false;
		}
		return corrected;
	}

	@Override
	final long remaining(Limit limit) {
		return Math.max(0, limit.max() - this.count);
	}

	@Override
	final long used(Limit limit) {
		return this.count;
	}

	@Override
	final long resetAfter(Limit limit) {
		return (this.count > 0) ? end(limit) - this.at : 0;
	}

	@Override
	final void clear() {
		this.storedCount = 0;
		this.storedBegins = false;
	}

}
