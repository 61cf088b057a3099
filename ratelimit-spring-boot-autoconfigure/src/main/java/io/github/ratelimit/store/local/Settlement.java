package io.github.ratelimit.store.local;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Uncharged;

/**
 * How much of an entry of the fallback is charged to the store.
 *
 * <p>
 * The settled counts are a copy of those of the entry, as of the last charge that
 * succeeded. What the entry counts beyond them, both advanced to the same time, is to be
 * charged. So units that expire are not charged, a charge that fails changes nothing, and
 * units that are refunded after their charge are left out of the next one.
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

	private long usedUntil;

	/**
	 * Create a new settlement of which nothing is charged yet.
	 * @param uncharged where it is found while there is something to charge
	 */
	Settlement(Entry entry, FallbackShare share, LocalRateLimitStore store, Set<Settlement> uncharged) {
		this.entry = entry;
		this.share = share;
		this.store = store;
		this.uncharged = uncharged;
	}

	/**
	 * A call was counted.
	 * @param until when the entry will equal an unused one
	 */
	void counted(long until) {
		this.usedUntil = Math.max(this.usedUntil, until);
		this.uncharged.add(this);
	}

	/**
	 * Whether calls still find the entry.
	 */
	boolean isKept() {
		return this.entry.isKept();
	}

	@Override
	public Demand demand() {
		return new Demand(this.share.latest(this.entry.ruleName()).whole(), this.entry.key(), 0);
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
			FallbackShare.SharedRule rule = this.share.latest(this.entry.ruleName());
			long now = this.store.now();
			this.entry.read(rule.part(), now);
			List<Long> units = this.entry.usedSince(settled(rule.part(), now));
			Charge charge = new Charge(rule.whole(), this.entry.key(), units, this.entry.longestWait());
			if (charge.isEmpty()) {
				return null;
			}
			this.charging = this.entry.copy();
			return charge;
		}
	}

	private Entry settled(RateLimitRule part, long now) {
		Entry counts = (this.settled != null) ? this.settled : this.entry.unused();
		counts.read(part, now);
		return counts;
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
			if (this.charging != null) {
				this.charging = null;
				this.uncharged.add(this);
			}
		}
	}

	/**
	 * The entry was forgotten, here and in the store.
	 */
	void reset() {
		this.settled = null;
		this.charging = null;
	}

	/**
	 * Count what the store has counted beyond the entry, and do not charge it: the store
	 * knows it. Nothing is learned while a charge is under way, of which the answer may
	 * know or not, nor when calls of the key have not failed for long.
	 * @param part the rule that the entry counts by
	 * @param outcomes what each limit has said in the store
	 */
	void heard(RateLimitRule part, List<LimitOutcome> outcomes, long now) {
		synchronized (this.entry) {
			if (this.charging != null || now > this.usedUntil) {
				return;
			}
			this.entry.read(part, now);
			List<Long> units = this.entry.usedElsewhere(outcomes, this.entry.usedSince(settled(part, now)));
			if (units.stream().anyMatch((number) -> number > 0)) {
				this.settled = settled(part, now);
				this.settled.charge(units, 0, now);
				this.entry.charge(units, 0, now);
			}
		}
	}

}
