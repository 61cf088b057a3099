package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * What one key has taken from one limit, calls included that were admitted to a later
 * time and wait for it. Times are microseconds of the store's clock. Not thread-safe: the
 * store guards it.
 *
 * <p>
 * A call that waits is counted as of the time at which it goes on. The state is then
 * {@code ahead} of the clock, which stood at {@code asked}, and every other call is
 * judged as of then, too: nobody overtakes. So algorithms know nothing of waiting, only
 * of later calls. When the clock is set back, those who wait are as far ahead of it as
 * before.
 *
 * @since 0.1.0
 */
public final class Count {

	/**
	 * The {@link #waitFor wait} of a call that can never be admitted.
	 */
	public static final long NEVER = -1;

	private final LimitState state;

	private long asked;

	private long ahead;

	private Count(LimitState state) {
		this.state = state;
	}

	/**
	 * A count from which nothing was taken yet.
	 * @param algorithm how calls are counted
	 * @return a new count
	 */
	public static Count unused(Algorithm algorithm) {
		return new Count(LimitState.unused(algorithm));
	}

	/**
	 * How long the call has to wait. One that takes nothing never does.
	 * @param limit the limit
	 * @param cost what the call takes, 0 or more
	 * @param now the time
	 * @return 0 if it is admitted now, {@link #NEVER} if it costs more than the limit can
	 * hold, else the microseconds until it would be
	 */
	public long waitFor(Limit limit, long cost, long now) {
		if (cost == 0) {
			return 0;
		}
		long judged = judgedAt(now);
		long retryAfter = this.state.retryAfter(limit, cost, judged);
		return (retryAfter == NEVER) ? NEVER : judged - now + retryAfter;
	}

	/**
	 * Count an admitted call.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more
	 * @param now the time, at which the count was {@linkplain #settle settled}
	 * @param wait after which time it goes on, {@link #waitFor} or more
	 */
	public void take(Limit limit, long cost, long now, long wait) {
		this.state.take(limit, cost, now + wait, now);
		tellAsOf(now, now + wait);
	}

	/**
	 * Count a denied call, for a limit with {@link Limit#countDenied()}.
	 * @param limit the limit
	 * @param cost what the call takes, from 1 to what the limit can hold
	 * @param now the time, at which the count was {@linkplain #settle settled}
	 */
	public void takeDenied(Limit limit, long cost, long now) {
		long judged = judgedAt(now);
		this.state.takeDenied(limit, cost, judged, now);
		tellAsOf(now, judged);
	}

	/**
	 * Take back units that were counted, as many as still count.
	 * @param limit the limit
	 * @param cost how many units, 1 or more
	 * @param slot the time they were counted at, or a later one for the newest
	 * @param now the time, at which the count was {@linkplain #settle settled}
	 */
	public void giveBack(Limit limit, long cost, long slot, long now) {
		long judged = judgedAt(now);
		tellAsOf(now, Math.max(now, this.state.giveBack(limit, cost, Math.min(slot, judged), judged, now)));
	}

	/**
	 * Correct a count that cannot be: if the clock was set back, what was consumed moves
	 * back with it and stays consumed; if the limit was lowered, it holds no more than it
	 * can.
	 * @param limit the limit
	 * @param now the time
	 * @return whether there was something to correct
	 */
	public boolean settle(Limit limit, long now) {
		long judged = judgedAt(now);
		boolean setBack = this.ahead > 0 && now < this.asked;
		if (!this.state.settle(limit, judged) && !setBack) {
			return false;
		}
		tellAsOf(now, judged);
		return true;
	}

	/**
	 * Count units that were admitted elsewhere, as many as fit now.
	 * @param limit the limit
	 * @param units how many units, 0 or more
	 * @param now the time, at which the count was {@linkplain #settle settled}
	 * @return how many fitted
	 */
	public long charge(Limit limit, long units, long now) {
		long fitting = Math.min(units, remaining(limit, now));
		if (fitting > 0) {
			take(limit, fitting, now, 0);
		}
		return fitting;
	}

	/**
	 * How many units still count.
	 * @param limit the limit
	 * @param now the time
	 * @return the units, not those of calls that wait
	 */
	public long used(Limit limit, long now) {
		return this.state.used(limit, judgedAt(now));
	}

	/**
	 * How many units could be taken at once.
	 * @param limit the limit
	 * @param now the time
	 * @return the units left, 0 while others wait
	 */
	public long remaining(Limit limit, long now) {
		long judged = judgedAt(now);
		return (judged > now) ? 0 : this.state.remaining(limit, now);
	}

	/**
	 * When this count equals an unused one.
	 * @param limit the limit
	 * @param now the time
	 * @return the microseconds until then, 0 if it already does
	 */
	public long resetAfter(Limit limit, long now) {
		long judged = judgedAt(now);
		return judged - now + this.state.resetAfter(limit, judged);
	}

	private long judgedAt(long now) {
		return now + Math.max(0, this.ahead - Math.max(0, now - this.asked));
	}

	private void tellAsOf(long now, long judged) {
		this.asked = now;
		this.ahead = judged - now;
	}

}
