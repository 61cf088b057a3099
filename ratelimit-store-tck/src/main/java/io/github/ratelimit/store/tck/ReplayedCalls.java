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
			count.advance(call.limit, call.time);
			if (call.admitted) {
				count.take(call.limit, call.cost, 0);
			}
			else {
				count.settle(call.limit);
			}
		}
		count.advance(limit, now);
		return limit.capacity() - count.remainingNow(limit);
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
