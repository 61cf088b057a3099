package io.github.ratelimit.algorithm;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;

/**
 * The units admitted in one window, and a {@code time} that tells which. Windows are one
 * period long. Those by the clock begin at the multiples of the period, and {@code time}
 * is that of the last admission; others begin with their first admission, and
 * {@code time} is that of the first.
 *
 * <p>
 * By the clock, the time of the last admission says more than the beginning of its window
 * would: when the period changed, it tells in which of the new windows {@code count}
 * lies.
 */
final class FixedWindow implements LimitState {

	private long time;

	private long count;

	private boolean movedBack;

	@Override
	public long retryAfter(Limit limit, long cost, long now) {
		if (cost > limit.max()) {
			return NEVER;
		}
		FixedWindow window = at(limit, now);
		return (window.count + cost <= limit.max()) ? 0 : window.end(limit) - now;
	}

	@Override
	public void take(Limit limit, long cost, long slot, long now) {
		become(at(limit, slot));
		this.count += cost;
	}

	/**
	 * A full window is no fuller after a denied call, so that nobody has to know how
	 * often it was tried if the limit is raised. More than fits stays, if it was lowered.
	 */
	@Override
	public void takeDenied(Limit limit, long cost, long slot, long now) {
		become(at(limit, slot));
		this.count = Math.max(this.count, Math.min(limit.max(), this.count + cost));
	}

	@Override
	public long giveBack(Limit limit, long cost, long slot, long judged, long now) {
		become(at(limit, judged));
		if (slot >= beginning(limit)) {
			this.count -= Math.min(cost, this.count);
		}
		return beginning(limit);
	}

	@Override
	public boolean settle(Limit limit, long now) {
		FixedWindow window = at(limit, now);
		if (window.movedBack) {
			become(window);
		}
		return window.movedBack;
	}

	@Override
	public long remaining(Limit limit, long now) {
		return Math.max(0, limit.max() - at(limit, now).count);
	}

	@Override
	public long resetAfter(Limit limit, long now) {
		FixedWindow window = at(limit, now);
		return (window.count > 0) ? window.end(limit) - now : 0;
	}

	/**
	 * The same count told as of now: that of an older window is over, and nothing is in a
	 * later one.
	 */
	private FixedWindow at(Limit limit, long now) {
		FixedWindow window = new FixedWindow();
		window.time = now;
		if (this.count == 0 || now >= end(limit)) {
			return window;
		}
		window.count = this.count;
		window.movedBack = this.time > now;
		if (!window.movedBack && limit.align() == Align.FIRST_REQUEST) {
			window.time = this.time;
		}
		return window;
	}

	private long beginning(Limit limit) {
		return (limit.align() == Align.FIRST_REQUEST) ? this.time : this.time - this.time % limit.periodMicros();
	}

	private long end(Limit limit) {
		return beginning(limit) + limit.periodMicros();
	}

	private void become(FixedWindow window) {
		this.time = window.time;
		this.count = window.count;
	}

}
