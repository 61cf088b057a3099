package io.github.ratelimit.store.redis;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Portions of one key that this instance holds: the one of which calls take units, and
 * the next one.
 */
final class PortionPair {

	private final LongSupplier clock;

	private final Consumer<Correction> unused;

	private volatile @Nullable Portion current;

	private @Nullable Portion next;

	private @Nullable UsedUp usedUp;

	PortionPair(LongSupplier clock, Consumer<Correction> unused) {
		this.clock = clock;
		this.unused = unused;
	}

	@Nullable Portion current() {
		return this.current;
	}

	/** Pay a call, {@code null} if the units do not suffice. */
	@Nullable RuleAnswer pay(Demand call) {
		Portion portion = this.current;
		if (portion == null || !portion.concerns(call)) {
			return null;
		}
		RuleAnswer answer = portion.pay(call, this.clock, this.unused);
		return (answer != null) ? answer : payWithNext(call);
	}

	private synchronized @Nullable RuleAnswer payWithNext(Demand call) {
		Portion spare = this.next;
		turnToNext();
		return (spare != null && spare.concerns(call)) ? spare.pay(call, this.clock, this.unused) : null;
	}

	/** Take units of the next portion as soon as none of the current one can be taken. */
	private void turnToNext() {
		Portion over = this.current;
		long now = this.clock.getAsLong();
		if (this.next != null && (over == null || over.isOver(now))) {
			if (over != null && over.left() == 0) {
				this.usedUp = new UsedUp(over.id(), over.close());
			}
			this.current = this.next;
			this.current.begin(now);
			this.next = null;
		}
	}

	/** Add a portion, if there is room for it. */
	synchronized boolean add(Portion portion) {
		if (this.next != null) {
			return false;
		}
		this.next = portion;
		turnToNext();
		return true;
	}

	synchronized void remove(Portion portion) {
		if (this.current == portion) {
			this.current = null;
		}
		if (this.next == portion) {
			this.next = null;
		}
		turnToNext();
	}

	/**
	 * Return the latest portion of which no unit is left, once. Redis need not wait for
	 * units of it.
	 */
	synchronized @Nullable UsedUp usedUp() {
		UsedUp portion = this.usedUp;
		this.usedUp = null;
		return portion;
	}

	/** Refund units that a call took from a portion, if it is still held. */
	boolean refund(long countedAt, long cost) {
		Portion portion = this.current;
		return portion != null && portion.refund(countedAt, cost);
	}

	/**
	 * Refund used units of the current portion, regardless of the calls that have taken
	 * them.
	 */
	long refundNewest(long cost) {
		Portion portion = this.current;
		return (portion != null) ? portion.refundNewest(cost) : 0;
	}

	synchronized boolean hasNext() {
		return this.next != null;
	}

	synchronized boolean isEmpty() {
		return this.current == null && this.next == null;
	}

	/**
	 * Portion that was closed because no unit was left, with those that were refunded at
	 * that moment.
	 */
	record UsedUp(long id, long left) {

	}

}
