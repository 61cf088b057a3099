package io.github.ratelimit.store.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that sums all counted calls. They expire by the period of the last admitted
 * call, and, for a call with a shorter one, by that. Its answer is uncertain only if it
 * depends on how far the calls exceed {@code max} after denied calls may have displaced
 * others.
 */
final class SlidingLogOracle implements Oracle {

	private List<Call> calls = new ArrayList<>();

	private long period;

	private long keptAtLeast = Long.MAX_VALUE;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		if (this.calls.isEmpty()) {
			this.period = limit.periodMicros();
		}
		long newest = this.calls.stream().mapToLong(Call::time).max().orElse(now);
		long ahead = Math.max(0, newest - now);
		long latest = now + ahead - this.period;
		boolean sure = isKept(limit, cost);
		List<Call> counted = this.calls.stream().filter((call) -> call.time > latest).toList();
		long retryAfter = retryAfter(counted, limit, cost, now + ahead);
		if (cost == 0) {
			return sure ? Optional.of(outcome(counted, limit, retryAfter, now + ahead)) : Optional.empty();
		}
		boolean admits = sure ? retryAfter == 0 : admitted;
		boolean countsDenied = !admits && limit.countDenied();
		counted = earlier(counted, ahead);
		if (admits || countsDenied) {
			counted.add(new Call(now, cost));
		}
		if (countsDenied) {
			this.keptAtLeast = Math.min(this.keptAtLeast, limit.max());
			retryAfter = retryAfter(counted, limit, cost, now);
		}
		this.calls = (admits || countsDenied) ? counted : earlier(this.calls, ahead);
		this.period = admits ? limit.periodMicros() : this.period;
		return sure ? Optional.of(outcome(counted, limit, retryAfter, now)) : Optional.empty();
	}

	private static List<Call> earlier(List<Call> calls, long by) {
		return new ArrayList<>(calls.stream().map((call) -> new Call(call.time - by, call.cost)).toList());
	}

	private LimitOutcome outcome(List<Call> calls, Limit limit, long retryAfter, long time) {
		return new LimitOutcome(Math.max(0, limit.max() - used(calls, limit, time)), retryAfter,
				resetAfter(calls, time));
	}

	private boolean isKept(Limit limit, long cost) {
		return this.keptAtLeast == Long.MAX_VALUE
				|| limit.max() <= this.keptAtLeast && (cost > 0 || limit.countDenied());
	}

	private long used(List<Call> calls, Limit limit, long time) {
		return used(calls, Math.min(this.period, limit.periodMicros()), time);
	}

	private static long used(List<Call> calls, long period, long time) {
		return calls.stream().filter((call) -> call.time > time - period).mapToLong(Call::cost).sum();
	}

	private long retryAfter(List<Call> calls, Limit limit, long cost, long time) {
		if (cost == 0) {
			return 0;
		}
		return waits(calls, Math.min(this.period, limit.periodMicros()), time)
			.filter((wait) -> used(calls, limit, time + wait) + cost <= limit.max())
			.findFirst()
			.orElseThrow();
	}

	private long resetAfter(List<Call> calls, long time) {
		return waits(calls, this.period, time).filter((wait) -> used(calls, this.period, time + wait) == 0)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return the current time and the time at which each call expires.
	 */
	private static LongStream waits(List<Call> calls, long period, long time) {
		LongStream expiries = calls.stream()
			.mapToLong((call) -> call.time + period - time)
			.filter((wait) -> wait > 0)
			.sorted();
		return LongStream.concat(LongStream.of(0), expiries);
	}

	private record Call(long time, long cost) {

	}

}
