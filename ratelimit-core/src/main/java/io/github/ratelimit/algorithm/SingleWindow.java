package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * Units admitted in one window. The algorithms differ in when it begins and ends. Their
 * scripts share nothing, since each run would pay for another function.
 */
abstract class SingleWindow extends Count {

	long storedCount;

	boolean storedBegins;

	long count;

	/** Return the end of the window, by the numbers that its units were counted by. */
	abstract long end();

	/**
	 * Return the end of the window for a call: also by the numbers of its limit, if that
	 * is earlier.
	 */
	abstract long end(Limit limit);

	/**
	 * Begin a window in which nothing is counted. Calls from before now were not counted,
	 * or counted in the window before.
	 */
	final void knowSince(long beginning) {
		this.knownSince = Math.max(this.knownSince, Math.max(this.now, beginning));
	}

	/** Store the window with so many units, the last of them counted now. */
	abstract void countUpTo(long units);

	abstract void write();

	@Override
	final long retryAfter(Limit limit, long cost) {
		return (used(limit) + cost <= limit.max()) ? 0 : end(limit) - this.at;
	}

	@Override
	final void take(Limit limit, long cost) {
		countUpTo(this.count + cost);
	}

	/**
	 * A denied call fills the window up, but not beyond {@code max}, so a raised limit
	 * does not depend on the number of attempts. If the limit was lowered, the excess
	 * stays.
	 */
	@Override
	final void takeDenied(Limit limit, long cost) {
		countUpTo(Math.max(this.count, Math.min(limit.max(), this.count + cost)));
	}

	@Override
	final void correct() {
		write();
	}

	@Override
	final long used(Limit limit) {
		return (this.at < end(limit)) ? this.count : 0;
	}

	@Override
	final long resetAfter() {
		return (this.count > 0) ? end() - this.at : 0;
	}

	@Override
	final void clear() {
		this.storedCount = 0;
		this.storedBegins = false;
	}

}
