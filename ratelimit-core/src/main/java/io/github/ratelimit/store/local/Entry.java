package io.github.ratelimit.store.local;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

/**
 * Entry of one key under one rule, which decides calls by its counts. Callers synchronize
 * on the entry. The lock is a monitor: with more threads than processors, callers of a
 * spinning lock may wait for seconds.
 */
final class Entry extends KeyCounts {

	private @Nullable UnchargedKey uncharged;

	/**
	 * Time of the latest reset. Calls that have waited and were decided until then are
	 * forgotten; other calls of before are unknown to the counts.
	 */
	private long resetAt = Long.MIN_VALUE;

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

	/**
	 * Copy the counts of an entry and its ban, for a call that is not counted. The copy
	 * is not in the store.
	 */
	static Entry trial(Entry other) {
		Entry copy = new Entry(other);
		copy.copyBan(other);
		return copy;
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
	boolean isUnused(long now) {
		return super.isUnused(now) && (this.uncharged == null || this.uncharged.isUnused(now));
	}

	/**
	 * Decide a call.
	 */
	RuleAnswer decide(Demand demand, long now) {
		if (demand.cost() == 0 && isPackedAndUsed(now)) {
			return new Entry(this).peek(demand, now);
		}
		advance(demand.counts(), now);
		long wait = waitFor(demand.cost());
		countCall(demand, now, wait, demand.accepts(wait) && !isBanned());
		return answer(demand, now);
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
	 * Return the answer that a call would get.
	 */
	RuleAnswer peek(Demand demand, long now) {
		if (isPackedAndUsed(now)) {
			return new Entry(this).peek(demand, now);
		}
		advance(demand.counts(), now);
		waitFor(demand.cost());
		return answer(demand, now);
	}

	/**
	 * Return how long a call has to wait for the slowest of the counts.
	 */
	long waitFor(long cost) {
		long wait = waitFor(0, cost);
		for (int i = 1; i < size(); i++) {
			wait = LimitOutcome.longer(wait, waitFor(i, cost));
		}
		return wait;
	}

	private long waitFor(int i, long cost) {
		return count(i).waitFor(limit(i), spec(i).units(cost));
	}

	/**
	 * Count a call, unless it costs nothing.
	 * @param wait how long it has to wait for the slowest of the counts, or
	 * {@link Count#NEVER} if it can never be admitted: then nothing changes
	 */
	void countCall(Demand demand, long now, long wait, boolean admitted) {
		if (demand.cost() == 0 || wait == Count.NEVER) {
			return;
		}
		if (admitted) {
			this.mayBeRefunded = true;
			setCall(demand);
			take(demand.cost(), wait);
		}
		else {
			deny(demand.cost());
			if (!demand.accepts(wait)) {
				countDenial(now);
			}
		}
		settleBan();
	}

	/**
	 * Count an admitted call, at the time at which the slowest of the counts admits it.
	 */
	private void take(long cost, long wait) {
		take(0, cost, wait);
		for (int i = 1; i < size(); i++) {
			take(i, cost, wait);
		}
	}

	private void take(int i, long cost, long wait) {
		count(i).take(limit(i), spec(i).units(cost), wait);
	}

	/**
	 * Count a denied call for limits that count denied calls. Its wait is then computed
	 * again, even for limits that would have admitted it: they may have no units left
	 * when the other limits admit the call.
	 */
	private void deny(long cost) {
		for (int i = 0; i < size(); i++) {
			Limit limit = limit(i);
			if (limit.countDenied()) {
				count(i).countDenied(limit, cost);
				count(i).waitFor(limit, cost);
			}
			else {
				count(i).settle(limit);
			}
		}
	}

	/**
	 * Set the call to which slots belong.
	 */
	private void setCall(Demand demand) {
		if (demand.holdsSlots()) {
			for (int i = 0; i < size(); i++) {
				count(i).of(demand.call());
			}
		}
	}

	/**
	 * Correct what calls have taken, and free their slots. A count that equals an unused
	 * one after a refund is forgotten.
	 * @return how many units each count has charged
	 */
	long[] correct(Correction correction) {
		boolean isRefund = correction.kind() == Kind.REFUND;
		if (isRefund) {
			setCall(correction.demand());
		}
		this.mayBeRefunded |= !isRefund;
		boolean isForgotten = correction.isForgotten(this.resetAt);
		long[] charged = new long[size()];
		for (int i = 0; i < charged.length; i++) {
			long units = correction.units(i);
			if (units > 0 && !(isForgotten && !spec(i).hasSlots())) {
				charged[i] = correct(i, units, correction);
			}
		}
		return charged;
	}

	private long correct(int i, long units, Correction correction) {
		if (correction.kind() == Kind.CHARGE) {
			return count(i).charge(limit(i), units, correction.demand().maxWaitMicros());
		}
		long countedAt = spec(i).hasSlots() ? Count.NEWEST : correction.countedAt();
		if (correction.kind() == Kind.DEBT) {
			count(i).owe(limit(i), units, countedAt, correction.mayBeFirst());
		}
		else if (count(i).refund(limit(i), units, countedAt) && count(i).isUnusedNow()) {
			forget(i);
		}
		return 0;
	}

	/**
	 * Forget all counts, and the calls that were counted.
	 */
	void reset(long now) {
		forget();
		this.resetAt = now;
	}

	/**
	 * Return the answer of all counts.
	 */
	RuleAnswer answer(Demand demand, long now) {
		LimitOutcome first = outcome(0);
		return withBan((size() == 1) ? RuleAnswer.of(demand, now, first)
				: RuleAnswer.of(demand, now, (i) -> (i == 0) ? first : outcome(i)));
	}

	private LimitOutcome outcome(int i) {
		Limit limit = limit(i);
		Count count = count(i);
		return new LimitOutcome(count.remainingNow(limit), count.lastWait(), count.resetAfterNow());
	}

}
