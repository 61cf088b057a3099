package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoredKey;

/**
 * What a fallback entry has counted and the store has not.
 *
 * <p>
 * The last successful charge left a copy of the counts. The next charge is the difference
 * between the entry and this copy, advanced to the same time. So expired units are not
 * charged, a failed charge changes nothing, and a refund before a charge reduces it. A
 * refund after a charge is made here only: it reduces the copy as well, and the units
 * stay counted in the store.
 *
 * <p>
 * Everything is guarded by the lock of the entry.
 */
final class UnchargedKey implements Uncharged {

	private final Entry entry;

	private final FallbackShare share;

	private final LongSupplier clock;

	private final Set<UnchargedKey> journal;

	private @Nullable Copy charged;

	private @Nullable Copy charging;

	/** Whether calls were counted since the last charge began. */
	private boolean grown;

	/** Whether a charge has succeeded since counts were charged completely. */
	private boolean reached;

	/** Units that the last charge lacked. */
	private final List<Lacking> lacking = new ArrayList<>();

	/** Whether the store has refunded units since the last charge began. */
	private boolean hasRoom;

	/** The rule that counted the latest call. */
	private volatile RuleCounts whole;

	/**
	 * The rule with the largest numbers that have counted calls, into which charges have
	 * to fit.
	 */
	private RuleCounts largest;

	/**
	 * Create an instance without any charge.
	 * @param clock the time in microseconds
	 * @param journal the keys that have something to charge
	 */
	UnchargedKey(Entry entry, RuleCounts whole, FallbackShare share, LongSupplier clock, Set<UnchargedKey> journal) {
		this.entry = entry;
		this.whole = whole;
		this.largest = RuleVariants.of(whole).inZone(null);
		this.share = share;
		this.clock = clock;
		this.journal = journal;
	}

	/**
	 * Record that a call was counted.
	 * @param by the rule that counted it, perhaps under a plan
	 */
	void counted(RuleCounts by) {
		this.whole = by;
		this.largest = FallbackShare.larger(this.share.latest(this.largest).whole(), RuleVariants.of(by).inZone(null));
		this.grown = true;
		this.journal.add(this);
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
		return this.charging == null && (this.charged == null || this.charged.counts.isUnused(now));
	}

	void refund(Correction refund) {
		synchronized (this.entry) {
			RuleCounts part = refund.demand().counts();
			long now = this.clock.getAsLong();
			this.entry.advance(part, now);
			this.entry.correct(refund);
			for (Copy copy : new Copy[] { this.charged, this.charging }) {
				if (copy != null && refund.countedAt() <= copy.time) {
					copy.counts.advance(part, now);
					copy.counts.correct(refund);
				}
			}
		}
	}

	/** Return whether calls still find the entry. */
	boolean isKept() {
		return this.entry.isKept();
	}

	@Override
	public Demand demand() {
		return new Demand(this.share.latest(this.whole).whole(), StoredKey.known(this.entry.key()), 0);
	}

	@Override
	public @Nullable Correction begin() {
		synchronized (this.entry) {
			if (this.charging != null) {
				return null;
			}
			FallbackShare.SharedRule rule = this.share.latest(this.whole);
			Correction charge = isKept() ? charge(rule.part()) : null;
			if (charge == null || charge.isEmpty()) {
				this.journal.remove(this);
				charge = null;
			}
			else {
				this.charging = new Copy(rule.whole(), new Entry(this.entry), this.clock.getAsLong(), charge.charged());
			}
			// after all that may fail for lack of memory
			this.grown = false;
			this.hasRoom = false;
			return charge;
		}
	}

	private Correction charge(RuleCounts part) {
		long now = this.clock.getAsLong();
		Entry before = (this.charged != null) ? this.charged.counts : new Entry(this.entry);
		if (this.charged == null) {
			before.forget();
		}
		before.advance(part, now);
		this.entry.advance(part, now);
		List<Long> units = eachCount()
			.mapToObj((i) -> this.entry.count(i).usedSince(this.entry.limit(i), before.count(i)))
			.toList();
		long longestWait = eachCount().mapToLong((i) -> this.entry.count(i).longestWait()).max().orElseThrow();
		return Correction.charge(largest(), StoredKey.known(this.entry.key()), units, longestWait);
	}

	private RuleCounts largest() {
		return RuleVariants.of(this.share.latest(this.largest).whole()).inZone(RuleVariants.of(this.whole).zone());
	}

	private IntStream eachCount() {
		return IntStream.range(0, this.entry.size());
	}

	/**
	 * Limits that have nothing left in the store have nothing left here either: otherwise
	 * a store that fails now and then would grant more with each call that fails.
	 */
	@Override
	public void succeeded(long[] counted) {
		synchronized (this.entry) {
			Copy copy = this.charging;
			if (copy == null) {
				return;
			}
			this.charged = copy;
			this.charging = null;
			this.reached = this.grown;
			this.lacking.clear();
			long now = this.clock.getAsLong();
			boolean isSame = advance(copy, now);
			for (int i = 0; isSame && i < counted.length; i++) {
				long units = copy.units.get(i) - counted[i];
				if (units > 0 && !this.entry.spec(i).isInterval()) {
					this.lacking.add(new Lacking(i, units, exhaust(this.entry, i), exhaust(copy.counts, i), now));
				}
			}
			if (this.hasRoom) {
				chargeLacking();
			}
			if (!this.grown) {
				this.journal.remove(this);
			}
		}
	}

	/**
	 * Charge again what the last charge lacked, since the store has refunded units: those
	 * of a call that it had counted after its caller stopped waiting, which was counted
	 * here as well. They were in the way.
	 * @return whether there is something to charge, or may be after the charge that is
	 * under way
	 */
	boolean chargeAgain() {
		synchronized (this.entry) {
			this.hasRoom = this.charging != null;
			if (!this.hasRoom && isKept()) {
				chargeLacking();
			}
			return this.grown || this.hasRoom;
		}
	}

	private void chargeLacking() {
		Copy copy = this.charged;
		if (this.lacking.isEmpty() || copy == null || !advance(copy, this.clock.getAsLong())) {
			return;
		}
		for (Lacking each : this.lacking) {
			refund(this.entry, each.count, each.exhausted, each.exhaustedAt);
			refund(copy.counts, each.count, each.exhaustedCopy, each.exhaustedAt);
			refund(copy.counts, each.count, each.units, Count.NEWEST);
		}
		this.lacking.clear();
		this.grown = true;
		this.journal.add(this);
	}

	/**
	 * Advance the entry and a copy to the same time.
	 * @return whether they have the counts that were charged: the rule has not changed,
	 * even if the plan has
	 */
	private boolean advance(Copy copy, long now) {
		FallbackShare.SharedRule rule = this.share.latest(this.whole);
		this.entry.advance(rule.part(), now);
		copy.counts.advance(rule.part(), now);
		return RuleVariants.of(rule.whole()).original().rule() == RuleVariants.of(copy.whole).original().rule();
	}

	private static long exhaust(Entry counts, int i) {
		return counts.count(i).charge(counts.limit(i), counts.limit(i).capacity(), 0);
	}

	private static void refund(Entry counts, int i, long units, long countedAt) {
		if (units > 0) {
			counts.count(i).refund(counts.limit(i), units, countedAt);
		}
	}

	@Override
	public void failed() {
		synchronized (this.entry) {
			if (this.charging != null) {
				this.charging = null;
				this.grown = true;
				this.reached = false;
			}
		}
	}

	/** Start anew after the counts were reset, here and in the store. */
	void reset() {
		this.charged = null;
		this.charging = null;
		this.grown = false;
		this.reached = false;
		this.lacking.clear();
		this.journal.remove(this);
	}

	/**
	 * Units of a count that a charge lacked.
	 *
	 * @param exhausted how many units exhausted the count after that
	 * @param exhaustedCopy how many exhausted that of the copy
	 * @param exhaustedAt the time of that: units that are counted later stay counted
	 */
	private record Lacking(int count, long units, long exhausted, long exhaustedCopy, long exhaustedAt) {

	}

	/**
	 * Counts as of a charge.
	 *
	 * @param whole the rule
	 * @param time the time of the clock
	 * @param units how many were charged
	 */
	private record Copy(RuleCounts whole, Entry counts, long time, List<Long> units) {

	}

}
