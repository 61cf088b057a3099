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
import io.github.ratelimit.algorithm.PackedBucket;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;

/**
 * Values of the decision on a plain call, under the only limit of its rule.
 */
sealed interface PlainOutcome extends Decision.Values {

	RuleCounts counts();

	/**
	 * Return when the same call is admitted.
	 * @return 0 if it is, {@link LimitOutcome#NEVER} or the time in microseconds
	 */
	long retryAfter();

	/**
	 * Return the time until the limit equals an unused one, in microseconds.
	 */
	long resetAfter();

	private Limit only() {
		return counts().get(0).limit();
	}

	@Override
	default boolean allowed() {
		return retryAfter() == 0;
	}

	@Override
	default String rule() {
		return counts().rule().name();
	}

	@Override
	default long limit() {
		return only().capacity();
	}

	@Override
	default long waitNanos() {
		return (retryAfter() == LimitOutcome.NEVER) ? Long.MAX_VALUE : TimeUnit.MICROSECONDS.toNanos(retryAfter());
	}

	@Override
	default long resetAfterNanos() {
		return TimeUnit.MICROSECONDS.toNanos(resetAfter());
	}

	@Override
	default List<LimitStatus> limits() {
		return new Statuses(this);
	}

	private LimitStatus status() {
		Limit limit = only();
		Duration retryAfter = (waitNanos() == Long.MAX_VALUE) ? Decision.NEVER : Duration.ofNanos(waitNanos());
		return new LimitStatus(rule(), limit.max(), limit.capacity(), limit.period(), remaining(), retryAfter,
				Duration.ofNanos(resetAfterNanos()));
	}

	/**
	 * Outcome of a {@link io.github.ratelimit.algorithm.Count Count}, in microseconds.
	 */
	record Counted(RuleCounts counts, long remaining, long retryAfter, long resetAfter) implements PlainOutcome {

	}

	/**
	 * Outcome of a bucket.
	 *
	 * @param missing what the bucket lacks with the units of the call, in parts; a
	 * negative number if the call is denied
	 */
	record Packed(RuleCounts counts, PackedBucket bucket, long missing, long cost) implements PlainOutcome {

		/**
		 * Return what the bucket lacks after the decision.
		 */
		private long missingAfter() {
			return allowed() ? this.missing : -this.missing - this.bucket.taken(0, 0, this.cost);
		}

		@Override
		public boolean allowed() {
			return this.missing > 0;
		}

		@Override
		public long remaining() {
			return this.bucket.remaining(missingAfter());
		}

		@Override
		public long retryAfter() {
			return allowed() ? 0 : this.bucket.retryAfter(-this.missing);
		}

		@Override
		public long resetAfter() {
			return this.bucket.resetAfter(missingAfter());
		}

	}

	/**
	 * The status of the limit, which is made when it is read.
	 */
	final class Statuses extends AbstractList<LimitStatus> implements RandomAccess {

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
