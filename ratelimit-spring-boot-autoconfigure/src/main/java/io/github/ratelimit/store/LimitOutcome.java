package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Count;

/**
 * What one limit says to a call; times in microseconds.
 *
 * @param remaining the units left after the decision
 * @param retryAfter 0 if this limit admits the call at once, {@link Count#NEVER} if it
 * never can, else the time until it does; a call that accepts so long a wait is admitted
 * @param resetAfter the time until the limit is as if unused
 * @since 0.1.0
 */
public record LimitOutcome(long remaining, long retryAfter, long resetAfter) {

	/**
	 * Whether this limit lets the call pass at once.
	 * @return {@code true} if it does
	 */
	public boolean admitted() {
		return this.retryAfter == 0;
	}

	/**
	 * What this limit says to the same call some time later, if nothing was taken since.
	 * @param elapsed the time in microseconds
	 * @return the same with shorter times
	 */
	public LimitOutcome after(long elapsed) {
		return new LimitOutcome(this.remaining,
				(this.retryAfter == Count.NEVER) ? Count.NEVER : Math.max(0, this.retryAfter - elapsed),
				Math.max(0, this.resetAfter - elapsed));
	}

	/**
	 * What a limit and the interval between its calls say together. The interval delays,
	 * but takes nothing from what is left.
	 * @param interval what the interval says
	 * @return what both say
	 */
	LimitOutcome delayedBy(LimitOutcome interval) {
		return new LimitOutcome(this.remaining, longer(this.retryAfter, interval.retryAfter),
				Math.max(this.resetAfter, interval.resetAfter));
	}

	/**
	 * The longer of two waits.
	 * @param one a wait
	 * @param other another one
	 * @return {@link Count#NEVER} if one of them is
	 */
	public static long longer(long one, long other) {
		return (one == Count.NEVER || other == Count.NEVER) ? Count.NEVER : Math.max(one, other);
	}

}
