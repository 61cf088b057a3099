package io.github.ratelimit.store.local;

import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.algorithm.PackedBucket;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

/**
 * Rule with one count, whose calls neither wait nor are refunded. A bucket is a packed
 * state, which calls change by compare-and-set; all other counts, and buckets with more
 * than that, are changed under the lock of the {@link Entry}.
 */
final class LocalPlainRule implements PlainRule, Decision.Scale {

	private final RuleCounts counts;

	private final EntryTable entries;

	private final LocalRule rule;

	private final LongSupplier clock;

	private final boolean settable;

	private final @Nullable PackedBucket bucket;

	private final @Nullable BiConsumer<RuleCounts, String> denials;

	/**
	 * Create an instance.
	 * @param settable whether the clock may be set back
	 * @param denials gets denials, {@code null} if nobody does
	 */
	LocalPlainRule(RuleCounts counts, EntryTable entries, LongSupplier clock, boolean settable,
			@Nullable BiConsumer<RuleCounts, String> denials) {
		this.counts = counts;
		this.entries = entries;
		this.rule = entries.rule(counts);
		this.clock = clock;
		this.settable = settable;
		this.bucket = counts.get(0).settled() ? null : this.rule.bucket(counts.get(0).limit(), clock.getAsLong());
		this.denials = denials;
	}

	@Override
	public @Nullable Decision decide(String key, long cost, boolean always) {
		String stored = StoredKey.textOf(key);
		while (true) {
			Entry found = this.entries.find(this.rule, this.counts, stored);
			if (this.bucket != null) {
				long missing = decidePacked(found, this.bucket, cost);
				if (missing != 0) {
					if (missing < 0) {
						denied(stored);
					}
					return (missing < 0 || always) ? new Decision(this, missing, cost, Decision.Origin.LOCAL) : null;
				}
			}
			PlainOutcome outcome = decideLocked(found, cost);
			if (outcome != null) {
				if (!outcome.allowed()) {
					denied(stored);
				}
				return (!outcome.allowed() || always) ? new Decision(outcome, Decision.Origin.LOCAL) : null;
			}
		}
	}

	private void denied(String stored) {
		if (this.denials != null) {
			this.denials.accept(this.counts, stored);
		}
	}

	@Override
	public PlainRule reportingDenials(RuleCounts counts, BiConsumer<RuleCounts, String> denials) {
		return new LocalPlainRule(this.counts, this.entries, this.clock, this.settable, denials);
	}

	@Override
	public Decision.Values values(long missing, long cost) {
		if (missing > 0) {
			return new PlainOutcome(this.counts, this.bucket.remaining(missing), 0, this.bucket.resetAfter(missing));
		}
		long untaken = -missing - this.bucket.taken(0, 0, cost);
		return new PlainOutcome(this.counts, this.bucket.remaining(untaken), this.bucket.retryAfter(-missing),
				this.bucket.resetAfter(untaken));
	}

	/**
	 * Decide by the packed state. It is read before the clock and must not have changed
	 * since, so it was in force at that time.
	 * @return what the bucket lacks with the units of the call, as a negative number if
	 * the call is denied; 0 if the state is not packed, or the call cannot be decided by
	 * it
	 */
	private long decidePacked(Entry entry, PackedBucket numbers, long cost) {
		for (long state = entry.state(); state != PackedBucket.UNPACKED; state = entry.state()) {
			long time = this.clock.getAsLong();
			if (entry.bucket() != numbers || !numbers.fits(time, cost) || this.settable && entry.isPackedAfter(time)) {
				return 0;
			}
			long now = numbers.parts(time);
			long taken = numbers.taken(state, now, cost);
			boolean denied = numbers.isOverdrawn(taken - now);
			if (denied ? entry.state() == state : entry.change(state, taken)) {
				entry.called(time, denied, state <= now);
				this.entries.tidy(time);
				return denied ? now - taken : taken - now;
			}
		}
		return 0;
	}

	/**
	 * Decide under the lock, or pack the state.
	 * @return {@code null} if the call can be decided without the lock, or if the entry
	 * was dropped after it was found
	 */
	private @Nullable PlainOutcome decideLocked(Entry entry, long cost) {
		PlainOutcome outcome;
		long now;
		synchronized (entry) {
			if (entry.isGone()) {
				return null;
			}
			entry.unpack();
			now = this.clock.getAsLong();
			entry.advance(this.counts, now);
			if (this.bucket != null && this.bucket.fits(now, cost) && entry.pack(this.bucket, now)) {
				return null;
			}
			outcome = entry.decide(this.counts, cost);
		}
		this.entries.tidy(now);
		return outcome;
	}

}
