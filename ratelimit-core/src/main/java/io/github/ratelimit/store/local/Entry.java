package io.github.ratelimit.store.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.PackedBucket;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.KeyCounts;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.local.LocalRule.Retention;
import org.jspecify.annotations.Nullable;

/**
 * Entry of one key under one rule: its counts, which are dropped when they equal unused
 * ones, or evicted. Callers synchronize on the entry. The lock is a monitor: with more
 * threads than processors, callers of a spinning lock may wait for seconds.
 *
 * <p>
 * The only count of a rule may be {@linkplain PackedBucket packed}. Then
 * {@linkplain LocalPlainRule plain calls} change it without the lock. Whoever holds the
 * lock unpacks it first, so that others wait for the lock. It is packed again by a plain
 * call, but not while a call may be refunded: of packed calls no more is noted than a
 * refund of the newest units needs.
 */
final class Entry extends KeyCounts implements Comparable<Entry> {

	/** Time for which a new entry is kept for the call that created it. */
	private static final long NEW_MICROS = 1_000_000;

	private static final VarHandle STATE;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(Entry.class, "state", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final LocalRule rule;

	private final String key;

	/**
	 * Time up to which it is kept although nothing counts: {@link #NEW_MICROS}, and until
	 * the turns of calls that waited when it was reset, of which no newer entry knows.
	 */
	private long keptUntil;

	private boolean gone;

	/** Whether it was called since {@link LocalRule} has asked, which may miss a call. */
	private boolean called = true;

	private @Nullable UnchargedKey uncharged;

	/**
	 * The numbers of the packed state, set when it is packed first. With the numbers of a
	 * changed rule it is not packed again, so a state never changes its meaning.
	 */
	private @Nullable PackedBucket bucket;

	/** The packed state; {@link PackedBucket#UNPACKED} while the counts are in force. */
	private volatile long state = PackedBucket.UNPACKED;

	/** The time of the last call that changed the packed state. */
	private long packedAt;

	/** The time of the last call that found the packed state unused. */
	private long packedKnownSince;

	/**
	 * Whether calls were counted since the counts were unused that may be refunded or owe
	 * units.
	 */
	private boolean mayBeRefunded;

	Entry(LocalRule rule, RuleCounts counts, String key, long createdAt) {
		super(counts);
		this.rule = rule;
		this.key = key;
		this.keptUntil = createdAt + NEW_MICROS;
		begin();
	}

	/** Copy the counts of an entry. The copy is not in the store. */
	Entry(Entry other) {
		super(other, other.unpacked(other.state));
		this.rule = other.rule;
		this.key = other.key;
	}

	String key() {
		return this.key;
	}

	String ruleName() {
		return this.rule.name();
	}

	/** Compare by the order of locking, so that overlapping calls cannot deadlock. */
	@Override
	public int compareTo(Entry other) {
		int byRule = ruleName().compareTo(other.ruleName());
		return (byRule != 0) ? byRule : this.key.compareTo(other.key);
	}

	/** Return whether it was dropped or evicted, so that nothing may be counted here. */
	boolean isGone() {
		return this.gone;
	}

	/** Return whether calls find it. */
	boolean isKept() {
		return this.rule.entries().get(this.key) == this;
	}

	@Nullable UnchargedKey uncharged() {
		return this.uncharged;
	}

	void setUncharged(UnchargedKey uncharged) {
		this.uncharged = uncharged;
	}

	@Override
	public void advance(RuleCounts current, long now) {
		unpack();
		called();
		super.advance(current, now);
	}

	@Override
	protected void countCall(Demand demand, long now, long wait, boolean admitted) {
		this.mayBeRefunded |= admitted && demand.cost() > 0;
		super.countCall(demand, now, wait, admitted);
	}

	@Override
	public long[] correct(Correction correction) {
		this.mayBeRefunded |= correction.kind() != Kind.REFUND;
		return super.correct(correction);
	}

	@Override
	public void reset(long now) {
		for (int i = 0; i < size(); i++) {
			this.keptUntil = Math.max(this.keptUntil, now + count(i).longestWait());
		}
		super.reset(now);
	}

	@Override
	public RuleAnswer decide(Demand demand, long now) {
		return (demand.cost() == 0) ? peek(demand, now) : super.decide(demand, now);
	}

	/**
	 * Decide a call that does not wait and is not refunded, by the only count of its
	 * rule, which has no ban.
	 */
	PlainOutcome decide(RuleCounts counts, long cost) {
		Limit limit = limit(0);
		Count count = count(0);
		long wait = waitFor(cost);
		if (wait == 0) {
			count.take(limit, cost, 0);
		}
		else if (wait != Count.NEVER) {
			deny(cost);
		}
		return new PlainOutcome(counts, count.remainingNow(limit), count.lastWait(), count.resetAfterNow());
	}

	/** Return the answer that a call would get. Packed counts stay packed. */
	@Override
	public RuleAnswer peek(Demand demand, long now) {
		return isPackedAndUsed(now) ? new Entry(this).peek(demand, now) : super.peek(demand, now);
	}

	@Nullable PackedBucket bucket() {
		return this.bucket;
	}

	/** Return the packed state. It is read before the numbers. */
	long state() {
		return this.state;
	}

	/** Change the packed state, unless another call has changed it. */
	boolean change(long known, long changed) {
		return STATE.compareAndSet(this, known, changed);
	}

	/**
	 * Note a call that was decided by the packed state.
	 * @param denied whether the state has not changed
	 * @param foundUnused whether nothing was counted before
	 */
	void called(long now, boolean denied, boolean foundUnused) {
		called();
		if (!denied && now > this.packedAt) {
			this.packedAt = now;
		}
		if (foundUnused && now > this.packedKnownSince) {
			this.packedKnownSince = now;
		}
	}

	private void called() {
		if (!this.called) {
			this.called = true;
		}
	}

	private boolean wasCalled() {
		boolean wasCalled = this.called;
		this.called = false;
		return wasCalled;
	}

	/** Return whether the packed state was changed after some time. */
	boolean isPackedAfter(long now) {
		return now < this.packedAt;
	}

	/**
	 * Pack the counts, if a packed state can hold them.
	 * @param numbers the numbers of the rule
	 * @param now the time, which the counts are advanced to
	 * @return whether calls can be decided without the lock
	 */
	boolean pack(PackedBucket numbers, long now) {
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

	/**
	 * Let nothing change without the lock. The clock is read afterwards, so that no call
	 * of a later time is counted already.
	 */
	void unpack() {
		if (this.state != PackedBucket.UNPACKED) {
			put(0, unpacked((long) STATE.getAndSet(this, PackedBucket.UNPACKED)));
		}
	}

	private Count unpacked(long packed) {
		return (packed == PackedBucket.UNPACKED) ? count(0).copy()
				: this.bucket.unpack(packed, this.packedAt, this.packedKnownSince);
	}

	/** Return whether the counts are packed, and contain something at some time. */
	private boolean isPackedAndUsed(long now) {
		long packed = this.state;
		return packed != PackedBucket.UNPACKED && packed > this.bucket.parts(now);
	}

	/**
	 * Return whether nothing counts, here or in what has been charged to the store. If
	 * so, nothing changes without the lock.
	 */
	@Override
	protected boolean isUnused(long now) {
		if (isPackedAndUsed(now)) {
			return false;
		}
		unpack();
		return super.isUnused(now) && (this.uncharged == null || this.uncharged.isUnused(now));
	}

	/** Drop it if it equals an unused one and was not called lately. */
	boolean dropIfUnused(long now) {
		return !wasCalled() && dropUnused(now);
	}

	private boolean dropUnused(long now) {
		if (now <= this.keptUntil) {
			return false;
		}
		synchronized (this) {
			this.gone = now > this.keptUntil && isUnused(now);
			if (this.gone) {
				drop();
			}
			return this.gone;
		}
	}

	/**
	 * Drop it, unless it has to be kept.
	 * @param unusedAt the time as of which it is dropped if nothing counts
	 * @param most the longest retention of those that may be dropped
	 * @param hasChance whether it is kept if it was called recently
	 * @return its retention, or {@code null} if it was dropped
	 */
	@Nullable Retention evict(long now, long unusedAt, Retention most, boolean hasChance) {
		if (dropUnused(unusedAt)) {
			return null;
		}
		synchronized (this) {
			Retention retention = retention(now);
			if (retention.compareTo(most) > 0 || hasChance && wasCalled()) {
				return retention;
			}
			unpack();
			this.gone = true;
			drop();
			return null;
		}
	}

	synchronized Retention retention(long now) {
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

	/** Drop it although it may still count. */
	void drop() {
		this.rule.entries().remove(this.key, this);
	}

}
