package io.github.ratelimit.store.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records all calls of the last window, and computes its end anew for every
 * call. It ends by the period of the last admitted call, and, for a call with a shorter
 * one, also by that.
 */
final class FixedWindowOracle implements Oracle {

	private List<Call> calls = List.of();

	private long period;

	private boolean followed;

	@Override
	public boolean hasFollowed() {
		return this.followed;
	}

	@Override
	public boolean knowsCorrections() {
		return true;
	}

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		List<Call> window = this.calls;
		boolean setBack = false;
		if (window.isEmpty() || now >= end(limit, window, this.period)) {
			window = List.of();
			this.period = limit.periodMicros();
		}
		else if (now < newest(limit, window)) {
			setBack = true;
			window = List.of(new Call(now, used(window), isSeen(limit, window, now)));
		}
		long end = window.isEmpty() ? now : endForCall(limit, window);
		long used = (now < end) ? used(window) : 0;
		long retryAfter = retryAfter(limit, cost, used, end - now);
		this.followed = cost > 0 && setBack;
		List<Call> after = new ArrayList<>(window);
		boolean counts = cost > 0 && (retryAfter == 0 || limit.countDenied());
		if (counts && retryAfter == 0) {
			after = (used > 0) ? moved(limit, window, now) : new ArrayList<>();
			after.add(new Call(now, cost, false));
			this.period = limit.periodMicros();
		}
		else if (counts) {
			after.add(new Call(now, Math.max(0, Math.min(cost, limit.max() - used)), false));
			end = endForCall(limit, after);
			used = used(after);
			retryAfter = retryAfter(limit, cost, used, end - now);
		}
		long counted = (now < endForCall(limit, after, now)) ? used(after) : 0;
		LimitOutcome outcome = new LimitOutcome(Math.max(0, limit.max() - counted), retryAfter,
				(used(after) == 0) ? 0 : end(limit, after, this.period) - now);
		if (counts || this.followed) {
			this.calls = after;
		}
		return Optional.of(outcome);
	}

	/**
	 * Return the units in the window of the last of them, or in that of now if it becomes
	 * longer.
	 */
	private List<Call> moved(Limit limit, List<Call> window, long now) {
		boolean begins = begins(limit, window);
		long time = (!begins && limit.periodMicros() > this.period) ? now : newest(limit, window);
		return new ArrayList<>(List.of(new Call(time, used(window), begins)));
	}

	/**
	 * Return whether a window begins now because the clock was set back to the one before
	 * it, by less than a period.
	 */
	private boolean isSeen(Limit limit, List<Call> window, long now) {
		return limit.align() == Align.CLOCK && now < end(limit, window, this.period) - this.period
				&& newest(limit, window) - now < this.period;
	}

	private static long retryAfter(Limit limit, long cost, long used, long left) {
		return (cost == 0 || used + cost <= limit.max()) ? 0 : left;
	}

	private long endForCall(Limit limit, List<Call> window, long otherwise) {
		return window.isEmpty() ? otherwise : endForCall(limit, window);
	}

	private long endForCall(Limit limit, List<Call> window) {
		return Math.min(end(limit, window, this.period),
				(limit.periodMicros() < this.period) ? end(limit, window, limit.periodMicros()) : Long.MAX_VALUE);
	}

	/**
	 * Return the end of the window of the last call.
	 */
	private static long end(Limit limit, List<Call> window, long period) {
		long time = newest(limit, window);
		return (begins(limit, window) ? time : time / period * period) + period;
	}

	/**
	 * Return the time that determines the window: that of the first call if it begins
	 * with it.
	 */
	private static long newest(Limit limit, List<Call> window) {
		return window.get(begins(limit, window) ? 0 : window.size() - 1).time;
	}

	private static boolean begins(Limit limit, List<Call> window) {
		return window.get(0).begins || limit.align() == Align.FIRST_REQUEST;
	}

	private static long used(List<Call> window) {
		return window.stream().mapToLong(Call::cost).sum();
	}

	/**
	 * Call, and whether a window begins with it although windows begin by the clock: the
	 * window that continues because the clock was set back within it.
	 */
	private record Call(long time, long cost, boolean begins) {

	}

}
