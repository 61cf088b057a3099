package io.github.ratelimit.algorithm;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records every call with its time and sums those of the sub-windows in
 * force. After a change of the segments or a clock set back, it only knows the sub-window
 * of a call and assumes the latest time in it. Calls that do not count when another is
 * admitted never count again.
 */
final class SlidingWindowOracle implements Oracle {

	private List<Call> calls = List.of();

	private long newest;

	private Limit cutBy;

	private boolean followed;

	@Override
	public boolean hasFollowed() {
		return this.followed;
	}

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean ignored) {
		if (this.cutBy == null) {
			this.cutBy = limit;
		}
		List<Call> counted = counted(limit, now);
		long retryAfter = retryAfter(counted, limit, cost, now);
		boolean admitted = cost > 0 && retryAfter == 0;
		if (admitted) {
			counted = Stream.concat(counted.stream(), Stream.of(new Call(now, cost))).toList();
		}
		this.followed = cost > 0 && !cutAlike(limit) && !this.calls.isEmpty() && countsLonger(counted, limit, now);
		if (admitted || this.followed || (cost > 0 && this.newest > now)) {
			this.calls = counted.stream().filter((call) -> call.counts(limit, now)).toList();
			this.newest = now;
			this.cutBy = limit;
		}
		return Optional.of(new LimitOutcome(Math.max(0, limit.max() - used(counted, limit, now)), retryAfter,
				resetAfter(counted, limit, now)));
	}

	private List<Call> counted(Limit limit, long now) {
		if (cutAlike(limit) && this.newest <= now) {
			return this.calls;
		}
		long back = Math.max(0, this.newest - now);
		return this.calls.stream()
			.filter((call) -> back > 0 || call.counts(this.cutBy, now))
			.map((call) -> new Call(latest(call) - back, call.cost))
			.toList();
	}

	private boolean cutAlike(Limit limit) {
		return length(limit) == length(this.cutBy) && limit.segments() == this.cutBy.segments();
	}

	/**
	 * Return whether a call may count for longer than all calls of the preceding period.
	 */
	private boolean countsLonger(List<Call> counted, Limit limit, long now) {
		return counted.stream().anyMatch((call) -> call.counts(limit, Math.min(this.newest, now)))
				&& (limit.segments() + 1) * length(limit) > this.cutBy.segments() * length(this.cutBy);
	}

	private long latest(Call call) {
		long next = (Math.floorDiv(call.time, length(this.cutBy)) + 1) * length(this.cutBy);
		return Math.min(this.newest, next - 1);
	}

	private static long retryAfter(List<Call> counted, Limit limit, long cost, long now) {
		if (cost == 0 || cost > limit.max()) {
			return (cost == 0) ? 0 : LimitState.NEVER;
		}
		return waits(limit, now).filter((wait) -> used(counted, limit, now + wait) + cost <= limit.max())
			.findFirst()
			.orElseThrow();
	}

	private static long resetAfter(List<Call> counted, Limit limit, long now) {
		return waits(limit, now).filter((wait) -> used(counted, limit, now + wait) == 0).findFirst().orElseThrow();
	}

	/**
	 * Return the current time and the start of each sub-window.
	 */
	private static LongStream waits(Limit limit, long now) {
		long rest = length(limit) - now % length(limit);
		return LongStream.concat(LongStream.of(0),
				LongStream.rangeClosed(0, limit.segments()).map((i) -> rest + i * length(limit)));
	}

	private static long used(List<Call> counted, Limit limit, long time) {
		return counted.stream().filter((call) -> call.counts(limit, time)).mapToLong(Call::cost).sum();
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
