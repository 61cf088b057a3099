package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Count;

/**
 * Outcome of a call under one limit; times in microseconds.
 *
 * @param remaining the units left after the decision
 * @param retryAfter 0 if this limit admits the call at once, {@link #NEVER} if it never
 * can, {@link #UNKNOWN} if other calls have to end first, else the time until it does; a
 * call that accepts this wait is admitted
 * @param resetAfter the time until the limit equals an unused one
 * @since 0.1.0
 */
public record LimitOutcome(long remaining, long retryAfter, long resetAfter) {

	/**
	 * The {@link #retryAfter} of a limit that can never admit the call.
	 */
	public static final long NEVER = Count.NEVER;

	/**
	 * The {@link #retryAfter} of a limit that admits the call when others have ended, at
	 * an unknown time. It is longer than any wait that a call may accept.
	 */
	public static final long UNKNOWN = Count.UNKNOWN;

	/**
	 * {@return whether this limit lets the call pass at once}
	 */
	public boolean admitted() {
		return this.retryAfter == 0;
	}

	/**
	 * {@return the outcome of the same call some time later, if nothing was taken since}
	 * @param elapsed the time in microseconds
	 */
	public LimitOutcome after(long elapsed) {
		boolean hasTime = this.retryAfter != NEVER && this.retryAfter != UNKNOWN;
		return new LimitOutcome(this.remaining, hasTime ? Math.max(0, this.retryAfter - elapsed) : this.retryAfter,
				Math.max(0, this.resetAfter - elapsed));
	}

	/**
	 * Return the outcome of a limit and the interval between its calls. The interval
	 * delays, but takes nothing from the units left.
	 */
	LimitOutcome delayedBy(LimitOutcome interval) {
		return new LimitOutcome(this.remaining, longer(this.retryAfter, interval.retryAfter),
				Math.max(this.resetAfter, interval.resetAfter));
	}

	/**
	 * Return whether this limit is the tighter one of an allowed call: it leaves fewer
	 * units, or as many for longer.
	 */
	boolean leavesLessThan(LimitOutcome other) {
		return this.remaining < other.remaining
				|| this.remaining == other.remaining && this.resetAfter > other.resetAfter;
	}

	static boolean isLonger(long wait, long other) {
		return other != NEVER && (wait == NEVER || wait > other);
	}

	/**
	 * {@return the longer of two waits, {@link #NEVER} if one of them is}
	 * @param one a wait
	 * @param other another one
	 */
	public static long longer(long one, long other) {
		return (one == NEVER || other == NEVER) ? NEVER : Math.max(one, other);
	}

}
