package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.StoreAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches of one stock, one after the other: the one under way, and when the next may
 * begin. Used under the lock of the stock.
 *
 * <p>
 * Portions that take more than half of their time to come cannot follow each other
 * without gaps. One of them may be an accident, so the first pause is as long as a
 * portion lives, and each further one in a row twice as long.
 */
final class FetchSchedule {

	static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private @Nullable CompletableFuture<StoreAnswer> underWay;

	private boolean grantedNothing;

	private long pause;

	private long pausedUntil;

	FetchSchedule(long now) {
		this.pausedUntil = now;
	}

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

	void grantedNothing() {
		this.underWay = null;
		this.grantedNothing = true;
	}

	/** Note that the fetch under way was granted units, which are held for some time. */
	void granted(long roundTrip, long lifetime, long now) {
		this.underWay = null;
		this.grantedNothing = false;
		boolean isLate = roundTrip > lifetime / 2;
		this.pause = isLate ? Math.min(LONGEST_PAUSE, Math.max(lifetime, 2 * this.pause)) : 0;
		this.pausedUntil = now + this.pause;
	}

}
