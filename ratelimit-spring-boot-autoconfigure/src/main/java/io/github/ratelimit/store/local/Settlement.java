package io.github.ratelimit.store.local;

import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeReceipt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.Uncharged;

/**
 * Part of a fallback entry that has been charged to the store.
 *
 * <p>
 * The settled counts are a copy of those of the entry, as of the last successful charge.
 * The next charge is the difference of both, advanced to the same time. So expired units
 * are not charged, a failed charge changes nothing, and units refunded after their charge
 * reduce the next one. If there is none, they are refunded in the store, as many as its
 * receipt of the last charge shows, so that no units of others are refunded.
 *
 * <p>
 * Everything is guarded by the lock of the entry.
 */
final class Settlement implements Uncharged {

	private final Entry entry;

	private final FallbackShare share;

	private final LocalRateLimitStore store;

	private final Set<Settlement> uncharged;

	private @Nullable Entry settled;

	private @Nullable Entry charging;

	private @Nullable ChargeReceipt receipt;

	private long usedUntil;

	private long learned;

	/**
	 * The rule that counted the latest call.
	 */
	private volatile RuleCounts whole;

	/**
	 * Create a new settlement without any charge.
	 * @param whole the rule of the entry
	 * @param uncharged the settlements that have something to charge
	 */
	Settlement(Entry entry, RuleCounts whole, FallbackShare share, LocalRateLimitStore store,
			Set<Settlement> uncharged) {
		this.entry = entry;
		this.whole = whole;
		this.share = share;
		this.store = store;
		this.uncharged = uncharged;
	}

	/**
	 * Record that a call was counted.
	 * @param by the rule that counted it, perhaps under a plan
	 * @param until the time at which the entry will equal an unused one
	 */
	void counted(RuleCounts by, long until) {
		this.whole = by;
		this.usedUntil = Math.max(this.usedUntil, until);
		this.uncharged.add(this);
	}

	/**
	 * Return whether nothing counts that has been charged or is being charged, so that no
	 * later charge has to leave it out.
	 */
	boolean isUnused(long now) {
		return this.charging == null && (this.settled == null || this.settled.isUnused(now));
	}

	/**
	 * Record that units are refunded.
	 * @param slot the time at which they were counted
	 * @return the time as of which they count now, later if they were learned since
	 */
	long refunded(long slot) {
		synchronized (this.entry) {
			if (this.settled != null || this.charging != null) {
				this.uncharged.add(this);
			}
			return (slot < this.learned && this.learned - slot < shortestPeriod()) ? this.learned : slot;
		}
	}

	private long shortestPeriod() {
		return forEachCount((i) -> this.entry.limit(i).period().toNanos() / 1000).min().orElseThrow();
	}

	/**
	 * Return whether calls still find the entry.
	 */
	boolean isKept() {
		return this.entry.isKept();
	}

	@Override
	public Demand demand() {
		return new Demand(this.share.latest(this.whole).whole(), StoredKey.known(this.entry.key()), 0);
	}

	@Override
	public @Nullable Charge begin() {
		synchronized (this.entry) {
			if (this.charging != null) {
				return null;
			}
			this.uncharged.remove(this);
			if (!isKept()) {
				return null;
			}
			FallbackShare.SharedRule rule = this.share.latest(this.whole);
			long now = this.store.now();
			this.entry.advance(rule.part(), now);
			Charge charge = new Charge(rule.whole(), StoredKey.known(this.entry.key()),
					usedSince(settled(rule.part(), now)), longestWait());
			if (charge.isEmpty()) {
				return null;
			}
			this.charging = new Entry(this.entry);
			this.receipt = null;
			return charge;
		}
	}

	@Override
	public void keep(ChargeReceipt given) {
		synchronized (this.entry) {
			this.receipt = (this.charging != null) ? given : null;
		}
	}

	@Override
	public @Nullable Refund takeRefund() {
		synchronized (this.entry) {
			RuleCounts part = this.share.latest(this.whole).part();
			long units = (this.settled != null && this.charging == null && isKept()) ? refundable(this.settled, part)
					: 0;
			if (units == 0) {
				return null;
			}
			Refund refund = new Refund(demand().withCost(units), this.receipt.slot());
			this.settled.refund(new Demand(part, demand().key(), units), Refund.NEWEST);
			this.receipt = new ChargeReceipt(this.receipt.slot(), this.receipt.units() - units);
			return refund;
		}
	}

	/**
	 * Return how many units of the last charge were refunded since. Calls that wait, and
	 * those that hold slots, are not refunded here.
	 */
	private long refundable(Entry charged, RuleCounts part) {
		if (this.receipt == null || part.hasSlots() || longestWait() > 0) {
			return 0;
		}
		long now = this.store.now();
		Entry left = new Entry(this.entry);
		left.advance(part, now);
		charged.advance(part, now);
		long refunded = forEachCount((i) -> charged.reconciliation(i).usedSince(left.count(i))).max().orElseThrow();
		return Math.min(refunded, this.receipt.units());
	}

	private Entry settled(RuleCounts part, long now) {
		Entry counts = this.settled;
		if (counts == null) {
			counts = new Entry(this.entry);
			counts.forget();
		}
		counts.advance(part, now);
		return counts;
	}

	/**
	 * Return how many units counted since an earlier copy still count.
	 */
	private List<Long> usedSince(Entry earlier) {
		return forEachCount((i) -> this.entry.reconciliation(i).usedSince(earlier.count(i))).boxed().toList();
	}

	private long longestWait() {
		return forEachCount((i) -> this.entry.count(i).longestWait()).max().orElseThrow();
	}

	private LongStream forEachCount(IntToLongFunction function) {
		return IntStream.range(0, this.entry.size()).mapToLong(function);
	}

	@Override
	public void succeeded() {
		synchronized (this.entry) {
			if (this.charging != null) {
				this.settled = this.charging;
				this.charging = null;
			}
		}
	}

	@Override
	public void failed() {
		synchronized (this.entry) {
			this.receipt = null;
			if (this.charging != null) {
				this.charging = null;
				this.uncharged.add(this);
			}
		}
	}

	/**
	 * Start anew after the counts were reset, here and in the store.
	 */
	void reset() {
		this.settled = null;
		this.charging = null;
		this.receipt = null;
	}

	/**
	 * Count the units that the store has counted, without charging them back. Their times
	 * are unknown here, and they may count for longer than the units of the entry.
	 * Therefore that number of the newest units counts as of now, and missing ones are
	 * added; older units expire as before. Nothing is learned while a charge is under
	 * way, since the answer may or may not include it, nor once the calls counted here
	 * have expired.
	 * @param part the rule that the entry counts by
	 * @param outcomes the outcome of each limit in the store
	 */
	void learn(RuleCounts part, List<LimitOutcome> outcomes, long now) {
		synchronized (this.entry) {
			if (this.charging != null || now > this.usedUntil) {
				return;
			}
			this.learned = now;
			this.entry.advance(part, now);
			this.settled = settled(part, now);
			List<Long> units = LearnedUnits.usedElsewhere(this.entry, outcomes, usedSince(this.settled));
			for (Entry counts : List.of(this.settled, this.entry)) {
				LearnedUnits.renew(counts, outcomes);
				counts.charge(units, 0);
			}
		}
	}

}
