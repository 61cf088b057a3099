package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records all counted calls and assigns them to windows anew for every call.
 * After a change of the period, the last window counts in full: as of now if the period
 * became longer, else as of its last call.
 */
final class FixedWindowOracle implements Oracle {

	private List<Call> calls = new ArrayList<>();

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
		if (this.period == 0) {
			this.period = limit.periodMicros();
		}
		List<Call> remembered = this.calls;
		long before = this.period;
		List<Call> last = lastWindow(limit, remembered);
		long endBefore = last.isEmpty() ? now : end(limit, last);
		if (limit.periodMicros() != before) {
			this.calls = dealt(limit, now);
			this.period = limit.periodMicros();
		}
		List<Call> counted = countedAt(limit, now);
		long used = used(windowAt(limit, now, counted));
		long retryAfter = retryAfter(limit, cost, now, counted);
		boolean setBack = counted != this.calls;
		this.followed = cost > 0 && used > 0 && (setBack || this.period > before
				|| this.period < before && end(limit, windowAt(limit, now, counted)) > endBefore);
		List<Call> after = new ArrayList<>(counted);
		if (cost > 0 && retryAfter == 0) {
			after.add(new Call(now, cost, false));
		}
		else if (cost > 0 && limit.countDenied() && retryAfter != LimitState.NEVER) {
			after.add(new Call(now, Math.max(0, Math.min(cost, limit.max() - used)), false));
			retryAfter = retryAfter(limit, cost, now, after);
		}
		List<Call> window = windowAt(limit, now, after);
		LimitOutcome outcome = new LimitOutcome(Math.max(0, limit.max() - used(window)), retryAfter,
				(used(window) == 0) ? 0 : end(limit, window) - now);
		if (cost > 0 && (after.size() > counted.size() || this.followed || setBack)) {
			this.calls = after;
		}
		else {
			this.calls = remembered;
			this.period = before;
		}
		return Optional.of(outcome);
	}

	private List<Call> dealt(Limit limit, long now) {
		List<Call> last = lastWindow(limit, this.calls);
		boolean longer = limit.periodMicros() > this.period;
		if (last.isEmpty() || longer && now >= end(limit, last)) {
			return List.of();
		}
		Call first = last.get(0);
		if (first.begins || limit.align() == Align.FIRST_REQUEST) {
			return List.of(new Call(first.time, used(last), first.begins));
		}
		long newest = last.get(last.size() - 1).time;
		return List.of(new Call(longer ? Math.max(newest, now) : newest, used(last), false));
	}

	private long retryAfter(Limit limit, long cost, long now, List<Call> counted) {
		if (cost == 0 || cost > limit.max()) {
			return (cost == 0) ? 0 : LimitState.NEVER;
		}
		List<Call> window = windowAt(limit, now, counted);
		return (used(window) + cost <= limit.max()) ? 0 : end(limit, window) - now;
	}

	/**
	 * Return all calls, or, if the clock was set back, those of the last window as if
	 * counted now. If the clock is in the preceding window, by less than a period, the
	 * last window begins now.
	 */
	private List<Call> countedAt(Limit limit, long now) {
		List<Call> last = lastWindow(limit, this.calls);
		if (last.isEmpty()) {
			return this.calls;
		}
		long newest = last.get(last.get(0).begins ? 0 : last.size() - 1).time;
		boolean seen = limit.align() == Align.CLOCK && newest - now < this.period;
		if (now < end(limit, last) - this.period) {
			return List.of(new Call(now, used(last), seen));
		}
		boolean later = limit.align() == Align.CLOCK && !last.get(0).begins && now < newest;
		return later ? List.of(new Call(now, used(last), false)) : this.calls;
	}

	/**
	 * Return the calls of the open window, if any.
	 */
	private List<Call> windowAt(Limit limit, long now, List<Call> counted) {
		List<Call> last = lastWindow(limit, counted);
		return (last.isEmpty() || now >= end(limit, last)) ? List.of() : last;
	}

	private List<Call> lastWindow(Limit limit, List<Call> counted) {
		List<Call> window = new ArrayList<>();
		for (Call call : counted) {
			if (!window.isEmpty() && call.time >= end(limit, window)) {
				window.clear();
			}
			window.add(call);
		}
		return window;
	}

	private long end(Limit limit, List<Call> window) {
		long first = window.get(0).time;
		return ((limit.align() == Align.CLOCK && !window.get(0).begins) ? first / this.period * this.period : first)
				+ this.period;
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
