package io.github.ratelimit.store.tck;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records every call with its time and sums those of the sub-windows in
 * force: those of the last admitted call and, if they differ, those of the call. For the
 * latter and after a clock set back, it only knows the sub-window of a call and assumes
 * the latest time in it. Calls that do not count when another is admitted never count
 * again.
 */
final class SlidingWindowOracle implements Oracle {

	private List<Call> calls = List.of();

	private long newest;

	private Limit cutBy;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean ignored) {
		if (this.calls.isEmpty()) {
			this.cutBy = limit;
		}
		List<Call> counted = counted(now);
		long retryAfter = retryAfter(counted, limit, cost, now);
		boolean admitted = cost > 0 && retryAfter == 0;
		if (admitted) {
			List<Call> left = counted.stream().filter((call) -> counts(call, limit, now)).toList();
			List<Call> moved = cutAlike(limit) ? left
					: left.stream().map((call) -> new Call(latest(call, now), call.cost)).toList();
			counted = Stream.concat(moved.stream(), Stream.of(new Call(now, cost))).toList();
			this.cutBy = limit;
		}
		if (admitted || (cost > 0 && this.newest > now)) {
			this.calls = counted.stream().filter((call) -> call.counts(this.cutBy, now)).toList();
			this.newest = now;
		}
		return Optional.of(new LimitOutcome(Math.max(0, limit.max() - used(counted, limit, now)), retryAfter,
				resetAfter(counted, now)));
	}

	private List<Call> counted(long now) {
		long back = Math.max(0, this.newest - now);
		return (back == 0) ? this.calls
				: this.calls.stream().map((call) -> new Call(latest(call, this.newest) - back, call.cost)).toList();
	}

	private boolean cutAlike(Limit limit) {
		return length(limit) == length(this.cutBy) && limit.segments() == this.cutBy.segments();
	}

	/**
	 * Return the latest moment at which a call may have been admitted.
	 */
	private long latest(Call call, long now) {
		long next = (Math.floorDiv(call.time, length(this.cutBy)) + 1) * length(this.cutBy);
		return Math.min(Math.min(this.newest, now), next - 1);
	}

	private long retryAfter(List<Call> counted, Limit limit, long cost, long now) {
		if (cost == 0) {
			return 0;
		}
		return LongStream.concat(waits(this.cutBy, now), waits(limit, now))
			.sorted()
			.filter((wait) -> used(counted, limit, now, now + wait) + cost <= limit.max())
			.findFirst()
			.orElseThrow();
	}

	private long resetAfter(List<Call> counted, long now) {
		return waits(this.cutBy, now)
			.filter((wait) -> counted.stream().noneMatch((call) -> call.counts(this.cutBy, now + wait)))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return the current time and the start of each sub-window.
	 */
	private static LongStream waits(Limit limit, long now) {
		long rest = length(limit) - now % length(limit);
		return LongStream.concat(LongStream.of(0),
				LongStream.rangeClosed(0, limit.segments()).map((i) -> rest + i * length(limit)));
	}

	private long used(List<Call> counted, Limit limit, long now) {
		return used(counted, limit, now, now);
	}

	private long used(List<Call> counted, Limit limit, long now, long time) {
		return counted.stream()
			.filter((call) -> call.counts(this.cutBy, time)
					&& (cutAlike(limit) || new Call(latest(call, now), 0).counts(limit, time)))
			.mapToLong(Call::cost)
			.sum();
	}

	private boolean counts(Call call, Limit limit, long now) {
		return used(List.of(call), limit, now) > 0;
	}

	private static long length(Limit limit) {
		return (limit.periodMicros() + limit.segments() - 1) / limit.segments();
	}

	private record Call(long time, long cost) {

		boolean counts(Limit limit, long now) {
			return this.time >= (now / length(limit) - limit.segments()) * length(limit);
		}

	}

}
