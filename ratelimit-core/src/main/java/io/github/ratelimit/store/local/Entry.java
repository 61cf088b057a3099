package io.github.ratelimit.store.local;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

/**
 * Entry of one key under one rule. Callers synchronize on the entry. The lock is a
 * monitor: with more threads than processors, callers of a spinning lock may wait for
 * seconds.
 */
final class Entry extends Packable {

	private @Nullable UnchargedKey uncharged;

	/**
	 * Create an unused entry.
	 * @param createdAt the time of the clock
	 */
	Entry(LocalRule rule, RuleCounts counts, String key, long createdAt) {
		super(rule, counts, key, createdAt);
	}

	/**
	 * Copy the counts of an entry. The copy is not in the store.
	 */
	Entry(Entry other) {
		super(other);
	}

	@Nullable UnchargedKey uncharged() {
		return this.uncharged;
	}

	void setUncharged(UnchargedKey uncharged) {
		this.uncharged = uncharged;
	}

	/**
	 * Return whether nothing counts, here or in what has been charged to the store.
	 */
	@Override
	protected boolean isUnused(long now) {
		return super.isUnused(now) && (this.uncharged == null || this.uncharged.isUnused(now));
	}

	@Override
	public RuleAnswer decide(Demand demand, long now) {
		return (demand.cost() == 0) ? peek(demand, now) : super.decide(demand, now);
	}

	/**
	 * Decide a call that does not wait and is not refunded, by the only count of its
	 * rule, which has no ban.
	 */
	PlainOutcome decide(RuleCounts counts, long cost, long now) {
		Limit limit = limit(0);
		Count count = count(0);
		long wait = waitFor(cost);
		if (wait == 0) {
			count.take(limit, cost, 0);
		}
		else if (wait != Count.NEVER) {
			deny(cost);
		}
		return new PlainOutcome.Counted(counts, count.remainingNow(limit), count.lastWait(), count.resetAfterNow());
	}

	/**
	 * Return the answer that a call would get. Packed counts stay packed.
	 */
	@Override
	public RuleAnswer peek(Demand demand, long now) {
		return isPackedAndUsed(now) ? new Entry(this).peek(demand, now) : super.peek(demand, now);
	}

}
