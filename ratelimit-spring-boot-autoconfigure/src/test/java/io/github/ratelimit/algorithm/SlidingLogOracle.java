package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Adds up all calls that ever counted. Not sure of its answer only when a longer period
 * than before reaches back to calls that were expired already, and when by how much the
 * calls exceed a {@code max} counts after denied ones may have pushed others out.
 */
final class SlidingLogOracle implements Oracle {

	private List<Call> calls = new ArrayList<>();

	private long expired = Long.MIN_VALUE;

	private long keptAtLeast = Long.MAX_VALUE;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		long newest = this.calls.stream().mapToLong(Call::time).max().orElse(now);
		long ahead = Math.max(0, newest - now);
		long time = now + ahead;
		boolean sure = time - limit.periodMicros() >= this.expired && isKept(limit, cost);
		this.expired = Math.max(this.expired, time - limit.periodMicros());
		long retryAfter = retryAfter(limit, cost, time);
		if (cost > 0) {
			this.calls = new ArrayList<>(this.calls.stream().map((call) -> call.earlier(ahead)).toList());
			this.expired -= ahead;
			time = now;
		}
		if (cost > 0 && (sure ? retryAfter == 0 : admitted)) {
			this.calls.add(new Call(now, cost));
		}
		else if (cost > 0 && limit.countDenied() && cost <= limit.max()) {
			this.calls.add(new Call(now, cost));
			this.keptAtLeast = Math.min(this.keptAtLeast, limit.max());
			retryAfter = retryAfter(limit, cost, now);
		}
		LimitOutcome outcome = new LimitOutcome(Math.max(0, limit.max() - used(limit, time)), retryAfter,
				resetAfter(limit, time));
		return sure ? Optional.of(outcome) : Optional.empty();
	}

	private boolean isKept(Limit limit, long cost) {
		return this.keptAtLeast == Long.MAX_VALUE
				|| limit.max() <= this.keptAtLeast && (cost > 0 || limit.countDenied());
	}

	private long used(Limit limit, long time) {
		return this.calls.stream()
			.filter((call) -> call.time > time - limit.periodMicros())
			.mapToLong(Call::cost)
			.sum();
	}

	private long retryAfter(Limit limit, long cost, long time) {
		if (cost == 0 || cost > limit.max()) {
			return (cost == 0) ? 0 : LimitState.NEVER;
		}
		if (cost == 0 && limit.countDenied()) {
			return 0;
		}
		return waits(limit, time).filter((wait) -> used(limit, time + wait) + cost <= limit.max())
			.findFirst()
			.orElseThrow();
	}

	private long resetAfter(Limit limit, long time) {
		return waits(limit, time).filter((wait) -> used(limit, time + wait) == 0).findFirst().orElseThrow();
	}

	/**
	 * Now, and whenever a call expires.
	 */
	private LongStream waits(Limit limit, long time) {
		LongStream expiries = this.calls.stream()
			.mapToLong((call) -> call.time + limit.periodMicros() - time)
			.filter((wait) -> wait > 0)
			.sorted();
		return LongStream.concat(LongStream.of(0), expiries);
	}

	private record Call(long time, long cost) {

		Call earlier(long by) {
			return new Call(this.time - by, this.cost);
		}

	}

}
