package io.github.ratelimit.store.local;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeReceipt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.Uncharged;
import io.github.ratelimit.store.local.RecentCharges.Charged;

/**
 * Part of a fallback entry that has been charged to the store.
 *
 * <p>
 * The settled counts are a copy of those of the entry, as of the last successful charge.
 * The next charge is the difference of both, advanced to the same time. So expired units
 * are not charged, a failed charge changes nothing, each unit counts in one of the stores
 * at any time, and units refunded after their charge reduce the next one. If the store
 * gave a receipt for their charge, they are refunded there instead, as of the time in the
 * receipt, so that no units of others are.
 *
 * <p>
 * Everything is guarded by the lock of the entry.
 */
final class Settlement implements Uncharged {

	private final Entry entry;

	private final FallbackShare share;

	private final LongSupplier clock;

	private final Set<Settlement> uncharged;

	private @Nullable Entry settled;

	private @Nullable Entry charging;

	/**
	 * Whether calls were counted since the last charge began.
	 */
	private boolean grown;

	/**
	 * Whether a charge has succeeded since counts were charged completely.
	 */
	private boolean reached;

	private final RecentCharges charges = new RecentCharges();

	private @Nullable Charged latest;

	private long charged;

	private final Queue<Refunded> refunded = new ArrayDeque<>();

	/**
	 * The rule that counted the latest call.
	 */
	private volatile RuleCounts whole;

	/**
	 * Create a new settlement without any charge.
	 * @param whole the rule of the entry
	 * @param clock the time in microseconds
	 * @param uncharged the settlements that have something to charge
	 */
	Settlement(Entry entry, RuleCounts whole, FallbackShare share, LongSupplier clock, Set<Settlement> uncharged) {
		this.entry = entry;
		this.whole = whole;
		this.share = share;
		this.clock = clock;
		this.uncharged = uncharged;
	}

	/**
	 * Record that a call was counted.
	 * @param by the rule that counted it, perhaps under a plan
	 */
	void counted(RuleCounts by) {
		this.whole = by;
		this.grown = true;
		this.uncharged.add(this);
	}

	/**
	 * Return whether calls of the key are decided here because of what is not charged.
	 * While a charge is under way, it may fail. After one that succeeded, the next one is
	 * expected to: otherwise a key that is called all the time would never leave the
	 * fallback.
	 */
	boolean isUncharged() {
		synchronized (this.entry) {
			return isKept() && (this.grown || (this.charging != null && !this.reached));
		}
	}

	/**
	 * Return whether nothing counts that has been charged or is being charged, so that no
	 * later charge has to leave it out.
	 */
	boolean isUnused(long now) {
		return this.charging == null && (this.settled == null || this.settled.isUnused(now));
	}

	/**
	 * Refund units of a call, here and, if they are charged, by the next
	 * {@link #takeRefund()} in the store. Units of calls that may wait or hold slots are
	 * refunded here only.
	 */
	void refund(Refund refund) {
		synchronized (this.entry) {
			Demand demand = refund.demand();
			this.entry.advance(demand.counts(), this.clock.getAsLong());
			Charged charge = (demand.counts().hasSlots() || longestWait() > 0) ? null
					: this.charges.find(refund.slot());
			Entry before = (charge != null) ? new Entry(this.entry) : null;
			this.entry.refund(refund);
			long units = (before != null) ? lessThan(before) : 0;
			if (units > 0) {
				this.refunded.add(new Refunded(charge, refund.slot(), units));
				this.uncharged.add(this);
			}
		}
	}

	/**
	 * Return how many units fewer each limit counts than in an earlier copy.
	 */
	private long lessThan(Entry before) {
		Entry after = new Entry(this.entry);
		return eachLimit().mapToLong((i) -> before.reconciliation(i).usedSince(after.count(i))).min().orElseThrow();
	}

	private IntStream eachLimit() {
		return IntStream.range(0, this.entry.size()).filter((i) -> !this.entry.spec(i).isInterval());
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
			this.grown = false;
			if (!isKept()) {
				this.uncharged.remove(this);
				return null;
			}
			FallbackShare.SharedRule rule = this.share.latest(this.whole);
			long now = this.clock.getAsLong();
			this.entry.advance(rule.part(), now);
			Charge charge = new Charge(rule.whole(), StoredKey.known(this.entry.key()),
					usedSince(settled(rule.part(), now)), longestWait());
			if (charge.isEmpty()) {
				this.uncharged.remove(this);
				return null;
			}
			this.charging = new Entry(this.entry);
			this.latest = this.charges.begin(now);
			this.charged = eachLimit().mapToLong((i) -> charge.units().get(i)).min().orElseThrow();
			return charge;
		}
	}

	@Override
	public void keep(ChargeReceipt receipt) {
		synchronized (this.entry) {
			if (this.latest != null) {
				this.latest.keep(receipt, this.charged);
			}
		}
	}

	@Override
	public @Nullable Refund takeRefund() {
		synchronized (this.entry) {
			while (this.charging == null && this.settled != null && !this.refunded.isEmpty()) {
				Refunded next = this.refunded.remove();
				long units = next.charge.take(next.units);
				if (units > 0) {
					RuleCounts part = this.share.latest(this.whole).part();
					settled(part, this.clock.getAsLong())
						.refund(new Refund(new Demand(part, demand().key(), units), next.slot));
					return new Refund(demand().withCost(units), next.charge.slot());
				}
			}
			return null;
		}
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
				this.latest = null;
				this.reached = this.grown;
				if (!this.grown && this.refunded.isEmpty()) {
					this.uncharged.remove(this);
				}
			}
		}
	}

	@Override
	public void failed() {
		synchronized (this.entry) {
			if (this.charging != null) {
				this.charging = null;
				this.grown = true;
				this.reached = false;
				this.charges.remove(this.latest);
				this.latest = null;
			}
		}
	}

	/**
	 * Start anew after the counts were reset, here and in the store.
	 */
	void reset() {
		this.settled = null;
		this.charging = null;
		this.latest = null;
		this.grown = false;
		this.reached = false;
		this.uncharged.remove(this);
		this.charges.clear();
		this.refunded.clear();
	}

	/**
	 * Units that a call has refunded.
	 *
	 * @param charge the charge that included them
	 * @param slot the time at which they were counted here
	 */
	private record Refunded(Charged charge, long slot, long units) {

	}

}
