package io.github.ratelimit.store.tck;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;

/**
 * Oracle that remembers all calls of one key, and counts them anew from the first one for
 * each question, with what each of them has really taken: as if they had cost that from
 * the beginning. A call that took nothing in the end has applied its numbers all the
 * same.
 */
final class ReplayedCalls {

	private final List<Call> calls = new ArrayList<>();

	/**
	 * Remember a call that does not wait.
	 */
	Call add(Limit limit, long cost, long time, boolean admitted) {
		Call call = new Call(limit, time, admitted);
		call.cost = cost;
		this.calls.add(call);
		return call;
	}

	/**
	 * Return the units that count for a limit at a time.
	 */
	long used(Limit limit, long now) {
		Count count = CountType.of(limit).unused();
		for (Call call : this.calls) {
			take(count, call);
		}
		count.advance(limit, now);
		return limit.capacity() - count.remainingNow(limit);
	}

	private static void take(Count count, Call call) {
		count.advance(call.limit, call.time);
		if (call.admitted) {
			count.take(call.limit, call.cost, 0);
		}
		else {
			count.moveBack(call.limit);
		}
	}

	/**
	 * Return whether nothing counted just before a later call than one, or counts at a
	 * time.
	 */
	boolean wasUnusedSince(Call call, long now) {
		return this.calls.stream().anyMatch((later) -> later.time > call.time && isUnusedAt(later.time))
				|| isUnusedAt(now);
	}

	private boolean isUnusedAt(long time) {
		Count count = null;
		for (Call call : this.calls) {
			if (call.time < time) {
				count = (count != null) ? count : CountType.of(call.limit).unused();
				take(count, call);
			}
		}
		return count == null || count.isUnusedAt(time);
	}

	@Override
	public String toString() {
		return this.calls.toString();
	}

	/**
	 * Call, and what it has taken.
	 */
	static final class Call {

		private final Limit limit;

		private final long time;

		private final boolean admitted;

		private long cost;

		private Call(Limit limit, long time, boolean admitted) {
			this.limit = limit;
			this.time = time;
			this.admitted = admitted;
		}

		Limit limit() {
			return this.limit;
		}

		long time() {
			return this.time;
		}

		long cost() {
			return this.cost;
		}

		void settle(long cost) {
			this.cost = cost;
		}

		@Override
		public String toString() {
			return "\n%s %d of %s at %d".formatted(this.admitted ? "took" : "denied", this.cost, this.limit, this.time);
		}

	}

}
