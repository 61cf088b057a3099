package io.github.ratelimit.store.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.PackedBucket;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

/**
 * Counts of one key under one rule, of which the only one may be {@linkplain PackedBucket
 * packed}. Then {@linkplain LocalPlainRule plain calls} change it without the lock.
 * Whoever holds the lock unpacks it first, so that others wait for the lock. It is packed
 * again by a plain call, but not while a call may be refunded: of packed calls no more is
 * noted than a refund of the newest units needs.
 */
abstract class Packable extends Evictable {

	private static final VarHandle STATE;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(Packable.class, "state", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/**
	 * The numbers of the packed state, set when it is packed first. With the numbers of a
	 * changed rule it is not packed again, so a state never changes its meaning.
	 */
	private @Nullable PackedBucket bucket;

	/**
	 * The packed state; {@link PackedBucket#UNPACKED} while the counts are in force.
	 */
	private volatile long state = PackedBucket.UNPACKED;

	/**
	 * The time of the last call that changed the packed state.
	 */
	private long packedAt;

	/**
	 * The time of the last call that found the packed state unused.
	 */
	private long packedKnownSince;

	/**
	 * Whether calls were counted since the counts were unused that may be refunded or owe
	 * units.
	 */
	private boolean mayBeRefunded;

	/**
	 * Create unused counts.
	 * @param createdAt the time of the clock
	 */
	Packable(LocalRule rule, RuleCounts counts, String key, long createdAt) {
		super(rule, counts, key, createdAt);
		begin();
	}

	/**
	 * Create a copy of the counts that calls do not find.
	 */
	Packable(Packable other) {
		super(other, other.unpacked(other.state));
	}

	@Override
	public final void advance(RuleCounts current, long now) {
		if (this.state != PackedBucket.UNPACKED) {
			unpack();
		}
		called();
		super.advance(current, now);
	}

	@Override
	protected final void countCall(Demand demand, long now, long wait, boolean admitted) {
		this.mayBeRefunded |= admitted && demand.cost() > 0;
		super.countCall(demand, now, wait, admitted);
	}

	@Override
	public final long[] correct(Correction correction) {
		this.mayBeRefunded |= correction.kind() != Kind.REFUND;
		return super.correct(correction);
	}

	/**
	 * Return the numbers of the packed state.
	 */
	final @Nullable PackedBucket bucket() {
		return this.bucket;
	}

	/**
	 * Return the packed state. It is read before the numbers.
	 */
	final long state() {
		return this.state;
	}

	/**
	 * Change the packed state, unless another call has changed it.
	 */
	final boolean change(long known, long changed) {
		return STATE.compareAndSet(this, known, changed);
	}

	/**
	 * Note a call that was decided by the packed state.
	 * @param denied whether the state has not changed
	 * @param foundUnused whether nothing was counted before
	 */
	final void called(long now, boolean denied, boolean foundUnused) {
		called();
		if (!denied && now > this.packedAt) {
			this.packedAt = now;
		}
		if (foundUnused && now > this.packedKnownSince) {
			this.packedKnownSince = now;
		}
	}

	/**
	 * Return whether the packed state was changed after some time.
	 */
	final boolean isPackedAfter(long now) {
		return now < this.packedAt;
	}

	/**
	 * Pack the counts, if a packed state can hold them.
	 * @param numbers the numbers of the rule
	 * @param now the time, which the counts are advanced to
	 * @return whether calls can be decided without the lock
	 */
	final boolean pack(PackedBucket numbers, long now) {
		Count only = count(0);
		long packed = numbers.pack(only);
		boolean unused = packed == PackedBucket.UNUSED;
		this.mayBeRefunded &= !unused;
		if (packed == PackedBucket.UNPACKED || this.mayBeRefunded || this.bucket != null && this.bucket != numbers) {
			return false;
		}
		this.packedAt = unused ? now : only.changedAt();
		this.packedKnownSince = unused ? now : only.callsKnownSince();
		this.bucket = numbers;
		put(0, null);
		this.state = packed;
		return true;
	}

	@Override
	final void unpack() {
		if (this.state != PackedBucket.UNPACKED) {
			put(0, unpacked((long) STATE.getAndSet(this, PackedBucket.UNPACKED)));
		}
	}

	private Count unpacked(long packed) {
		return (packed == PackedBucket.UNPACKED) ? count(0).copy()
				: this.bucket.unpack(packed, this.packedAt, this.packedKnownSince);
	}

	/**
	 * Return whether the counts are packed, and contain something at some time.
	 */
	final boolean isPackedAndUsed(long now) {
		long packed = this.state;
		return packed != PackedBucket.UNPACKED && packed > this.bucket.parts(now);
	}

	/**
	 * Return whether nothing counts. If so, nothing changes without the lock.
	 */
	@Override
	protected boolean isUnused(long now) {
		if (isPackedAndUsed(now)) {
			return false;
		}
		unpack();
		return super.isUnused(now);
	}

	@Override
	final synchronized Retention retention(long now) {
		if (isPackedAndUsed(now)) {
			return Retention.RECENT;
		}
		unpack();
		boolean isLast = deniedFor(now) > 0;
		for (int i = 0; i < size(); i++) {
			Count count = count(i);
			if (!count.isUnusedAt(now)) {
				if (count.isHeldByCalls()) {
					return Retention.RUNNING;
				}
				isLast |= count.longestWait() > 0 || count.isOverdrawn();
			}
		}
		return isLast ? Retention.LAST : Retention.RECENT;
	}

}
