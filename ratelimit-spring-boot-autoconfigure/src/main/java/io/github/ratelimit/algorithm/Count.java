package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * What one key has taken from one limit, calls included that were admitted to a later
 * time and wait for it. Times are microseconds of the store's clock. Not thread-safe: the
 * store guards it.
 *
 * <p>
 * It is {@linkplain #read read} as of the time of a call, once, and everything else is
 * asked and done as of then.
 *
 * <p>
 * A call that waits is counted as of the time at which it goes on. The state is then
 * {@code ahead} of the clock, which stood at {@code asked}, and every other call is
 * judged as of then, too: nobody overtakes. When the clock is set back, those who wait
 * are as far ahead of it as before.
 *
 * <p>
 * Waiting is the matter of this class alone. The algorithms below it know nothing of it,
 * only of later calls: they tell their {@link LimitState} as of a time.
 *
 * @since 0.1.0
 */
public abstract sealed class Count extends LimitState implements Cloneable
		permits FixedWindow, MinInterval, SlidingLog, SlidingWindow, TokenBucket, WarmUp, WeightedWindow {

	/**
	 * The {@link #waitFor wait} of a call that can never be admitted.
	 */
	public static final long NEVER = -1;

	/**
	 * The slot that means the newest units that were taken, but for those of calls that
	 * still wait.
	 */
	public static final long NEWEST = 1L << 52;

	private long asked;

	private long ahead;

	private long wait;

	private boolean changed;

	private long unusedAt = Long.MAX_VALUE;

	Count() {
	}

	/**
	 * A count that keeps calls apart by the period of its limit, and from which nothing
	 * was taken yet.
	 * @return a new count
	 */
	public static Count unusedInterval() {
		return new MinInterval();
	}

	/**
	 * A count from which nothing was taken yet.
	 * @param algorithm how calls are counted
	 * @return a new count
	 */
	public static Count unused(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> new SlidingLog();
			case TOKEN_BUCKET, LEAKY_BUCKET -> new TokenBucket();
			case WEIGHTED_WINDOW -> new WeightedWindow();
			case SLIDING_WINDOW -> new SlidingWindow();
			case FIXED_WINDOW -> new FixedWindow();
			case WARM_UP -> new WarmUp();
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	/**
	 * Tell the count as of a time, for what follows. What equals an unused count by the
	 * limit that it was last changed under is forgotten, whatever limit and clock come
	 * later.
	 * @param limit the limit
	 * @param now the time
	 */
	public final void read(Limit limit, long now) {
		if (now >= this.unusedAt) {
			this.unusedAt = Long.MAX_VALUE;
			this.ahead = 0;
			clear();
		}
		this.now = now;
		this.at = now + Math.max(0, this.ahead - Math.max(0, now - this.asked));
		tell(limit);
	}

	/**
	 * How long the call has to wait. One that takes nothing never does.
	 * @param limit the limit
	 * @param cost what the call takes, 0 or more
	 * @return 0 if it is admitted now, {@link #NEVER} if it costs more than the limit can
	 * hold, else the microseconds until it would be
	 */
	public final long waitFor(Limit limit, long cost) {
		this.wait = (cost == 0) ? 0 : retryAfter(limit, cost);
		if (cost > 0 && this.wait != NEVER) {
			this.wait += this.at - this.now;
		}
		return this.wait;
	}

	/**
	 * How long the call had to wait that was asked for last.
	 * @return what {@link #waitFor} has returned
	 */
	public final long lastWait() {
		return this.wait;
	}

	/**
	 * Count an admitted call.
	 * @param limit the limit
	 * @param cost what the call takes, 1 or more
	 * @param wait after which time it goes on, {@link #waitFor} or more
	 */
	public final void take(Limit limit, long cost, long wait) {
		settle(limit);
		goOn(limit, this.now + wait);
		add(limit, cost);
		stamp();
	}

	/**
	 * Count a denied call, for a limit with {@link Limit#countDenied()}.
	 * @param limit the limit
	 * @param cost what the call takes, from 1 to what the limit can hold
	 */
	public final void takeDenied(Limit limit, long cost) {
		settle(limit);
		addDenied(limit, cost);
		stamp();
	}

	/**
	 * Take back units that were counted, as many as still count. A call that has not gone
	 * on yet gives up its turn: the last one of the queue is free for others, any other
	 * passes unused, as those behind it keep theirs: nothing changes then.
	 * @param limit the limit
	 * @param cost how many units, 1 or more
	 * @param slot the time they were counted at, or {@link #NEWEST}
	 * @return {@code false} if a turn passes unused
	 */
	public final boolean giveBack(Limit limit, long cost, long slot) {
		boolean turn = slot > this.now && slot < NEWEST;
		if (turn && slot != this.at) {
			return false;
		}
		settle(limit);
		long end = takeOut(limit, cost, (slot < NEWEST) ? slot : 0, Math.min(slot, turn ? this.at : this.now));
		if (turn) {
			this.at = Math.max(this.now, end);
		}
		tell(limit);
		stamp();
		return true;
	}

	/**
	 * Correct a count that cannot be: if the clock was set back, what was consumed moves
	 * back with it and stays consumed; if the limit was lowered, it holds no more than it
	 * can.
	 * @param limit the limit
	 * @return whether there was something to correct
	 */
	public final boolean settle(Limit limit) {
		boolean setBack = this.ahead > 0 && this.now < this.asked;
		if (!correct(limit) && !setBack) {
			return false;
		}
		follow(limit);
		stamp();
		return true;
	}

	/**
	 * Count units that were admitted elsewhere, as many as fit: as if they were taken
	 * now, or when the last call goes on that waits here or there.
	 * @param limit the limit
	 * @param units how many units, 1 or more
	 * @param wait how long the last call waits that was admitted elsewhere
	 */
	public final void charge(Limit limit, long units, long wait) {
		long turn = Math.max(this.at, this.now + wait);
		if (this.at + retryAfter(limit, 1) <= turn) {
			goOn(limit, turn);
			take(limit, Math.min(units, room(limit)), turn - this.now);
		}
	}

	private void goOn(Limit limit, long time) {
		if (time > this.at) {
			follow(limit);
			advance(limit, time);
		}
	}

	private void advance(Limit limit, long time) {
		if (time > this.at) {
			this.at = time;
			tell(limit);
		}
	}

	/**
	 * How many units count beyond those of an earlier copy of this count, when the last
	 * call goes on that waits.
	 * @param limit the limit
	 * @param earlier the copy, read as of the same time; it is advanced
	 * @return the units, 0 if more were refunded since than taken
	 */
	public final long usedSince(Limit limit, Count earlier) {
		earlier.advance(limit, this.at);
		return Math.max(0, counted(limit) - earlier.counted(limit));
	}

	/**
	 * How many units more than counted here another count has that has the same limit, or
	 * a larger one.
	 * @param limit the limit
	 * @param remaining how many units the other one has left
	 * @return the units, 0 while calls wait here
	 */
	public final long usedElsewhere(Limit limit, long remaining) {
		return (this.at > this.now) ? 0 : Math.max(0, counted(limit, remaining) - counted(limit));
	}

	/**
	 * Count as many of the newest units as of now as another count has that has the same
	 * limit, or a larger one. When it took them is not known: so units that expire by
	 * their age do not come back here while they may count there. Nothing changes while
	 * calls wait here.
	 * @param limit the limit
	 * @param remaining how many units the other one has left
	 */
	public final void renew(Limit limit, long remaining) {
		long units = Math.min(counted(limit), counted(limit, remaining));
		if (units > 0 && this.at == this.now) {
			settle(limit);
			renewNewest(limit, units);
			tell(limit);
			stamp();
		}
	}

	/**
	 * How long the last call waits.
	 * @return the microseconds, 0 if none waits
	 */
	public final long longestWait() {
		return this.at - this.now;
	}

	/**
	 * Copy this count, as it is stored.
	 * @return a copy that changes by itself
	 */
	public Count copy() {
		try {
			return (Count) clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * How many units could be taken at once.
	 * @param limit the limit
	 * @return the units left, 0 while others wait
	 */
	public final long remaining(Limit limit) {
		return (this.at > this.now) ? 0 : room(limit);
	}

	/**
	 * When this count equals an unused one.
	 * @param limit the limit
	 * @return the microseconds until then, 0 if it already does
	 */
	public final long resetAfter(Limit limit) {
		long micros = this.at - this.now + untilUnused(limit);
		if (this.changed) {
			this.changed = false;
			this.unusedAt = this.now + micros;
		}
		return micros;
	}

	private void stamp() {
		this.asked = this.now;
		this.ahead = this.at - this.now;
		this.changed = true;
	}

}
