package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.StoreAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches of one stock, one after the other: the one under way, when the next may begin,
 * and how many units it wants. Used under the lock of the stock.
 *
 * <p>
 * Portions that take more than half of their time to come cannot follow each other
 * without gaps. One of them may be an accident, so the first pause is as long as a
 * portion lives, and each further one in a row twice as long.
 *
 * <p>
 * The first portion is as large as the number of calls that wait. Those that take it came
 * within its round trip, so the next ones grow until calls find what they need in the
 * lifetime of a portion. The pace stays with the stock: a portion after a gap has the
 * full size at once.
 */
final class FetchSchedule {

	static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private @Nullable CompletableFuture<StoreAnswer> underWay;

	private boolean grantedNothing;

	private long pause;

	private long pausedUntil;

	private long needed;

	FetchSchedule(long now) {
		this.pausedUntil = now;
	}

	/** Return the answer to the call that fetches, {@code null} if there is none. */
	@Nullable CompletableFuture<StoreAnswer> underWay() {
		return this.underWay;
	}

	/** Return the fetch for whose units other calls may wait. */
	@Nullable CompletableFuture<StoreAnswer> promising() {
		return this.grantedNothing ? null : this.underWay;
	}

	boolean mayBegin(long now) {
		return this.underWay == null && now - this.pausedUntil >= 0;
	}

	void begin(CompletableFuture<StoreAnswer> answer) {
		this.underWay = answer;
	}

	void ended(CompletableFuture<StoreAnswer> answer) {
		if (this.underWay == answer) {
			this.underWay = null;
		}
	}

	/** Note the portion that the fetch under way was granted, {@code null} for none. */
	void granted(@Nullable Portion portion, long lifetime, long now) {
		this.underWay = null;
		this.grantedNothing = portion == null;
		if (portion != null) {
			boolean isLate = portion.roundTrip() > lifetime / 2;
			this.pause = isLate ? Math.min(LONGEST_PAUSE, Math.max(lifetime, 2 * this.pause)) : 0;
			this.pausedUntil = now + this.pause;
		}
	}

	/**
	 * Return how many units calls need in the lifetime of a portion, 0 if they come less
	 * often than round trips to Redis end.
	 * @param portion the portion that they take units of; if {@code null}, they need as
	 * many as they did of the last one
	 */
	long needed(@Nullable Portion portion, long lifetime, long now) {
		if (portion != null) {
			this.needed = portion.needed(lifetime, now);
		}
		return this.needed;
	}

}
