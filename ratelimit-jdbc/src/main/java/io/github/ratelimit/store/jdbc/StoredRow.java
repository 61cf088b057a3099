package io.github.ratelimit.store.jdbc;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.BanCount;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.algorithm.LeasedSlots;
import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

/**
 * Locked row: the counts of one key under one rule. Several calls of a transaction may
 * change it, one after the other. It is written if its bytes differ from those that were
 * read.
 *
 * <p>
 * The bytes contain the time of the latest reset, the ban, and each count that does not
 * equal an unused one, with the time from which it does. Counts that this rule does not
 * need are kept as they are until then: an earlier version of the rule may need them.
 */
final class StoredRow {

	/**
	 * The form of the bytes.
	 */
	private static final int FORM = 1;

	private static final byte[] NOTHING = {};

	private final RowKey key;

	private final long instance;

	private final byte[] read;

	/**
	 * Counts that no call of this transaction has needed, by their meaning.
	 */
	private final Map<String, Stored> stored = new LinkedHashMap<>();

	private final Map<String, Counted> counted = new LinkedHashMap<>();

	private @Nullable BanCount ban;

	private long resetAt = Long.MIN_VALUE;

	/**
	 * Time until which {@link #resetAt} matters, 0 if it does not.
	 */
	private long resetUntil;

	private RuleCounts rule;

	private Counted[] current = {};

	private long now;

	/**
	 * Read a row.
	 * @param read the bytes, empty for a new row
	 * @param instance the number of this instance among all
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	StoredRow(RowKey key, byte[] read, long instance, RuleCounts rule) {
		this.key = key;
		this.read = read;
		this.instance = instance;
		this.rule = rule;
		if (read.length > 0) {
			read(new StateInput(read));
		}
	}

	private void read(StateInput from) {
		from.form(FORM);
		this.resetUntil = from.number();
		if (this.resetUntil > 0) {
			this.resetAt = from.number();
		}
		byte[] banned = from.bytes();
		if (banned.length > 0) {
			this.ban = BanCount.of(banned);
		}
		for (int left = from.count(); left > 0; left--) {
			this.stored.put(from.text(), new Stored(from.number(), from.bytes()));
		}
		from.end();
	}

	/**
	 * Copy the row with all changes.
	 */
	StoredRow copy() {
		return new StoredRow(this.key, toBytes(), this.instance, this.rule);
	}

	RowKey key() {
		return this.key;
	}

	/**
	 * Advance all counts to the time of a call.
	 * @param current the rule in force
	 */
	StoredRow advance(RuleCounts current, long time) {
		this.rule = current;
		this.now = time;
		this.current = new Counted[current.size()];
		for (int i = 0; i < this.current.length; i++) {
			CountSpec spec = current.get(i);
			Counted known = this.counted.get(spec.meaning());
			this.current[i] = new Counted(spec, (known != null) ? known.count : restored(spec));
			this.current[i].count.setSettled(spec.settled());
			this.current[i].count.advance(spec.limit(), time);
			this.counted.put(spec.meaning(), this.current[i]);
		}
		if (rules() != null && this.ban != null) {
			this.ban.advance(time);
		}
		return this;
	}

	private Count restored(CountSpec spec) {
		Count count = unused(spec);
		Stored known = this.stored.remove(spec.meaning());
		if (known != null) {
			count.restore(known.bytes, spec.limit());
		}
		return count;
	}

	private Count unused(CountSpec spec) {
		return CountType.of(spec.limit(), spec.isInterval()).unused(this.instance);
	}

	private @Nullable Ban rules() {
		return this.rule.rule().ban();
	}

	private @Nullable BanCount inForce() {
		return (rules() != null && this.ban != null && this.ban.retryAfter() > 0) ? this.ban : null;
	}

	/**
	 * Return whether the key is banned, so that all calls are denied.
	 */
	boolean isBanned() {
		return inForce() != null;
	}

	/**
	 * Return how long a call has to wait for the slowest of the counts.
	 */
	long waitFor(Demand demand) {
		long longest = 0;
		for (Counted each : this.current) {
			each.count.of(demand.call());
			longest = LimitOutcome.longer(longest, each.count.waitFor(each.limit(), each.spec.units(demand.cost())));
		}
		return longest;
	}

	/**
	 * Count a call, unless it costs nothing.
	 * @param wait how long it has to wait for the slowest of the counts, or
	 * {@link Count#NEVER} if it can never be admitted: then nothing changes
	 */
	void countCall(Demand demand, long wait, boolean admitted) {
		if (demand.cost() == 0 || wait == Count.NEVER) {
			return;
		}
		for (Counted each : this.current) {
			each.count(demand, wait, admitted);
		}
		Ban rules = rules();
		if (rules != null) {
			if (!admitted && !demand.accepts(wait) && !isBanned()) {
				this.ban = (this.ban != null) ? this.ban : new BanCount(this.now);
				this.ban.takeDenied(rules);
			}
			if (this.ban != null) {
				this.ban.settle();
			}
		}
	}

	RuleAnswer answer(Demand demand) {
		RuleAnswer answer = RuleAnswer.of(demand, this.now, (i) -> this.current[i].outcome());
		BanCount banning = inForce();
		return (banning != null)
				? answer.bannedBy(new BanOutcome(banning.begins(), banning.retryAfter(), banning.resetAfter()))
				: answer;
	}

	/**
	 * Correct what calls have taken, and free their slots. A count that equals an unused
	 * one after a refund is forgotten.
	 * @return how many units each count has charged
	 */
	long[] correct(Correction correction) {
		boolean isForgotten = correction.isForgotten(this.resetAt);
		long[] charged = new long[this.current.length];
		for (int i = 0; i < charged.length; i++) {
			Counted each = this.current[i];
			long units = correction.units(i);
			if (units > 0 && !(isForgotten && !each.spec.hasSlots())) {
				charged[i] = correct(each, units, correction);
			}
		}
		return charged;
	}

	private long correct(Counted each, long units, Correction correction) {
		if (correction.kind() == Kind.CHARGE) {
			return each.count.charge(each.limit(), units, correction.demand().maxWaitMicros());
		}
		long countedAt = each.spec.hasSlots() ? Count.NEWEST : correction.countedAt();
		if (correction.kind() == Kind.DEBT) {
			each.count.owe(each.limit(), units, countedAt, correction.mayBeFirst());
			return 0;
		}
		each.count.of(correction.demand().call());
		if (each.count.refund(each.limit(), units, countedAt) && each.count.isUnusedNow()) {
			forget(each);
		}
		return 0;
	}

	/**
	 * Let a call that runs hold its slots.
	 * @return {@code false} if it has lost some, because others hold them
	 */
	boolean hold(Demand demand) {
		boolean held = true;
		for (Counted each : this.current) {
			if (each.count instanceof LeasedSlots slots) {
				slots.of(demand.call());
				held &= slots.hold(each.limit(), demand.cost());
			}
		}
		return held;
	}

	/**
	 * Forget all counts, and the calls that were counted, as long as their units would
	 * have counted.
	 */
	void reset() {
		long longest = 0;
		for (Counted each : this.current) {
			longest = Math.max(longest, each.count.resetAfterNow());
			forget(each);
		}
		this.resetAt = this.now;
		this.resetUntil = this.now + longest;
		if (rules() != null) {
			this.ban = null;
		}
	}

	private void forget(Counted unused) {
		unused.count = unused(unused.spec);
		unused.count.setSettled(unused.spec.settled());
		unused.count.advance(unused.limit(), this.now);
	}

	/**
	 * Return the bytes of the row, if they have to be written.
	 * @return {@code null} if nothing has changed
	 */
	byte @Nullable [] changed() {
		byte[] bytes = toBytes();
		return Arrays.equals(bytes, this.read) ? null : bytes;
	}

	private byte[] toBytes() {
		Map<String, Stored> all = new LinkedHashMap<>(this.stored);
		all.values().removeIf((each) -> each.unusedAt <= this.now);
		this.counted.forEach((meaning, each) -> {
			if (!each.count.isUnusedNow()) {
				all.put(meaning, new Stored(this.now + each.count.resetAfterNow(), each.count.toBytes()));
			}
		});
		boolean isBanUnused = this.ban == null || this.ban.isUnusedAt(this.now);
		if (all.isEmpty() && isBanUnused && this.resetUntil <= this.now) {
			return NOTHING;
		}
		StateOutput to = new StateOutput();
		to.number(FORM);
		to.number((this.resetUntil > this.now) ? this.resetUntil : 0);
		if (this.resetUntil > this.now) {
			to.number(this.resetAt);
		}
		to.bytes(isBanUnused ? NOTHING : this.ban.toBytes());
		to.number(all.size());
		all.forEach((meaning, each) -> {
			to.text(meaning);
			to.number(each.unusedAt);
			to.bytes(each.bytes);
		});
		return to.toBytes();
	}

	/**
	 * Return the time from which on the row equals one that was never written.
	 */
	long unusedAt() {
		long last = Math.max(this.now, this.resetUntil);
		for (Stored each : this.stored.values()) {
			last = Math.max(last, each.unusedAt);
		}
		for (Counted each : this.counted.values()) {
			last = Math.max(last, this.now + each.count.resetAfterNow());
		}
		return (this.ban != null) ? Math.max(last, this.now + this.ban.resetAfter()) : last;
	}

	/**
	 * Return the time at which the ban of the key ends, 0 if it is not banned.
	 */
	long bannedUntil() {
		long left = (this.ban != null) ? this.ban.retryAfter(this.now) : 0;
		return (left > 0) ? this.now + left : 0;
	}

	/**
	 * Count that was not read.
	 */
	private record Stored(long unusedAt, byte[] bytes) {

	}

	/**
	 * Count that calls of this transaction need.
	 */
	private static final class Counted {

		private final CountSpec spec;

		private Count count;

		Counted(CountSpec spec, Count count) {
			this.spec = spec;
			this.count = count;
		}

		Limit limit() {
			return this.spec.limit();
		}

		/**
		 * Count a call as of the time at which the slowest of the counts admits it, or
		 * its denial.
		 */
		void count(Demand demand, long wait, boolean admitted) {
			this.count.of(demand.call());
			if (admitted) {
				this.count.take(limit(), this.spec.units(demand.cost()), wait);
			}
			else if (limit().countDenied()) {
				this.count.countDenied(limit(), demand.cost());
				this.count.waitFor(limit(), demand.cost());
			}
			else {
				this.count.settle(limit());
			}
		}

		LimitOutcome outcome() {
			return new LimitOutcome(this.count.remainingNow(limit()), this.count.lastWait(),
					this.count.resetAfterNow());
		}

	}

}
