package io.github.ratelimit.store.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.algorithm.PackedBucket;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.RuleCounts;

/**
 * Counts of one key under one rule, one {@link Count} per {@link CountSpec}, which follow
 * changes of the rule. The first one has a field of its own, and loops of a call begin
 * with the second one, since most rules have one only.
 *
 * <p>
 * The only count of a rule may be {@linkplain PackedBucket packed}. Then
 * {@linkplain LocalPlainRule plain calls} change it without the lock. Whoever holds the
 * lock unpacks it first, so that others wait for the lock. It is packed again by a plain
 * call, but not while a call may be refunded: of packed calls no more is noted than a
 * refund of the newest units needs.
 */
abstract class KeyCounts extends Bannable {

	private static final Count[] NO_MORE = {};

	private static final VarHandle STATE;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(KeyCounts.class, "state", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private RuleCounts counts;

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
	boolean mayBeRefunded;

	/**
	 * {@code null} while it is packed.
	 */
	private @Nullable Count first;

	private Count[] more;

	private Map<String, Count> others = Map.of();

	/**
	 * Create unused counts.
	 * @param createdAt the time of the clock
	 */
	KeyCounts(LocalRule rule, RuleCounts counts, String key, long createdAt) {
		super(rule, key, createdAt);
		this.counts = counts;
		this.first = unused(0);
		this.more = more(counts.size());
		for (int i = 1; i < size(); i++) {
			put(i, unused(i));
		}
	}

	/**
	 * Create a copy of the counts that calls do not find.
	 */
	KeyCounts(KeyCounts other) {
		super(other);
		this.counts = other.counts;
		this.first = other.unpacked(other.state);
		this.more = new Count[other.more.length];
		Arrays.setAll(this.more, (i) -> other.more[i].copy());
		this.others = new HashMap<>(other.others);
		this.others.replaceAll((meaning, count) -> count.copy());
	}

	private static Count[] more(int size) {
		return (size == 1) ? NO_MORE : new Count[size - 1];
	}

	final Count count(int i) {
		return (i == 0) ? this.first : this.more[i - 1];
	}

	private void put(int i, Count count) {
		if (i == 0) {
			this.first = count;
		}
		else {
			this.more[i - 1] = count;
		}
	}

	final CountSpec spec(int i) {
		return this.counts.get(i);
	}

	final Limit limit(int i) {
		return this.counts.get(i).limit();
	}

	@Override
	final @Nullable Ban rulesOfBan() {
		return this.counts.rule().ban();
	}

	/**
	 * Advance all counts to the time of a call.
	 * @param current the rule in force
	 */
	final void advance(RuleCounts current, long now) {
		if (this.state != PackedBucket.UNPACKED) {
			unpack();
		}
		if (this.counts.rule() != current.rule()) {
			follow(current);
		}
		called();
		this.first.advance(limit(0), now);
		for (int i = 1; i < size(); i++) {
			count(i).advance(limit(i), now);
		}
		advanceBan(now);
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
	 * Return whether the packed state was found unused after some time. A call that has
	 * read its clock before does not know what was counted then.
	 */
	final boolean isKnownSinceAfter(long now) {
		return now < this.packedKnownSince;
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
		long packed = numbers.pack(this.first);
		boolean unused = packed == PackedBucket.UNUSED;
		this.mayBeRefunded &= !unused;
		if (packed == PackedBucket.UNPACKED || this.mayBeRefunded || this.bucket != null && this.bucket != numbers) {
			return false;
		}
		this.packedAt = unused ? now : this.first.changedAt();
		this.packedKnownSince = unused ? now : this.first.callsKnownSince();
		this.bucket = numbers;
		this.first = null;
		this.state = packed;
		return true;
	}

	@Override
	final void unpack() {
		if (this.state != PackedBucket.UNPACKED) {
			this.first = unpacked((long) STATE.getAndSet(this, PackedBucket.UNPACKED));
		}
	}

	private Count unpacked(long packed) {
		return (packed == PackedBucket.UNPACKED) ? this.first.copy()
				: this.bucket.unpack(packed, this.packedAt, this.packedKnownSince);
	}

	/**
	 * Return whether the counts are packed, and contain something at some time.
	 */
	final boolean isPackedAndUsed(long now) {
		long packed = this.state;
		return packed != PackedBucket.UNPACKED && packed > this.bucket.parts(now);
	}

	@Override
	boolean isUnused(long now) {
		if (isPackedAndUsed(now)) {
			return false;
		}
		unpack();
		for (int i = 0; i < size(); i++) {
			if (!count(i).isUnusedAt(now)) {
				return false;
			}
		}
		return isBanUnused(now) && this.others.values().stream().allMatch((count) -> count.isUnusedAt(now));
	}

	@Override
	final synchronized Retention retention(long now) {
		if (isPackedAndUsed(now)) {
			return Retention.RECENT;
		}
		unpack();
		boolean isLast = isBannedAt(now);
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

	/**
	 * Return the number of counts.
	 */
	final int size() {
		return 1 + this.more.length;
	}

	/**
	 * Follow a change of the rule. All counts are kept, even those of removed limits. A
	 * plan has the same counts.
	 */
	private void follow(RuleCounts changed) {
		if (changed.own() == this.counts.own()) {
			this.counts = changed;
			return;
		}
		Map<String, Count> known = new HashMap<>(this.others);
		for (int i = 0; i < size(); i++) {
			known.put(this.counts.get(i).meaning(), count(i));
		}
		this.counts = changed;
		this.more = more(changed.size());
		for (int i = 0; i < size(); i++) {
			Count count = known.remove(changed.get(i).meaning());
			put(i, (count != null) ? count : unused(i));
			count(i).setSettled(changed.get(i).settled());
		}
		this.others = known;
	}

	private Count unused(int i) {
		CountSpec spec = this.counts.get(i);
		Count unused = CountType.of(spec.limit(), spec.isInterval()).unused();
		unused.setSettled(spec.settled());
		return unused;
	}

	/**
	 * Replace a count by an unused one.
	 */
	final void forget(int i) {
		put(i, unused(i));
	}

	/**
	 * Replace all counts by unused ones, and lift the ban.
	 */
	final void forget() {
		for (int i = 0; i < size(); i++) {
			forget(i);
		}
		liftBan();
	}

}
