package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;

/**
 * Values of the decision on a plain call, under the only limit of its rule; times in
 * microseconds.
 *
 * @param retryAfter the time until the same call is admitted, 0 if it is, or
 * {@link LimitOutcome#NEVER}
 */
record PlainOutcome(RuleCounts counts, long remaining, long retryAfter, long resetAfter) implements Decision.Values {

	private Limit only() {
		return this.counts.get(0).limit();
	}

	@Override
	public boolean allowed() {
		return this.retryAfter == 0;
	}

	@Override
	public String rule() {
		return this.counts.rule().name();
	}

	@Override
	public long limit() {
		return only().capacity();
	}

	@Override
	public long waitNanos() {
		return (this.retryAfter == LimitOutcome.NEVER) ? Long.MAX_VALUE
				: TimeUnit.MICROSECONDS.toNanos(this.retryAfter);
	}

	@Override
	public long resetAfterNanos() {
		return TimeUnit.MICROSECONDS.toNanos(this.resetAfter);
	}

	@Override
	public List<LimitStatus> limits() {
		return new Statuses(this);
	}

	private LimitStatus status() {
		Limit limit = only();
		Duration wait = (waitNanos() == Long.MAX_VALUE) ? Decision.NEVER : Duration.ofNanos(waitNanos());
		return new LimitStatus(rule(), limit.max(), limit.capacity(), limit.period(), this.remaining, wait,
				Duration.ofNanos(resetAfterNanos()));
	}

	/** The status of the limit, which is made when it is read. */
	private static final class Statuses extends AbstractList<LimitStatus> implements RandomAccess {

		private final PlainOutcome outcome;

		private Statuses(PlainOutcome outcome) {
			this.outcome = outcome;
		}

		@Override
		public int size() {
			return 1;
		}

		@Override
		public LimitStatus get(int index) {
			Objects.checkIndex(index, 1);
			return this.outcome.status();
		}

	}

}
