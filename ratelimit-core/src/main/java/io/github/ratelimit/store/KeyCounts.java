package io.github.ratelimit.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.BanCount;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Correction.Kind;

/**
 * Counts of one key under one rule, one {@link Count} per {@link CountSpec}, and the ban
 * of the key. They decide calls and are corrected by the Java algorithms, and follow
 * changes of the rule; where they are kept is up to the store, which guards them as well.
 *
 * <p>
 * A call first {@linkplain #advance advances} the counts to its time. All other methods
 * refer to that time, and to the rule of that call. Times are in microseconds of the
 * clock.
 *
 * <p>
 * The first count has a field of its own, and loops of a call begin with the second one,
 * since most rules have one only.
 *
 * @since 0.1.0
 */
public abstract class KeyCounts {

	static final byte[] NOTHING = {};

	private static final Count[] NO_MORE = {};

	private RuleCounts counts;

	/** {@code null} while a subclass has it in another form. */
	private @Nullable Count first;

	private Count[] more = NO_MORE;

	private Map<String, Count> others = Map.of();

	/** The ban of the key, whether the rule has one or not. */
	private @Nullable BanCount ban;

	/**
	 * Time of the latest reset. Calls that have waited and were decided until then are
	 * forgotten; other calls of before are unknown to the counts.
	 */
	private long resetAt = Long.MIN_VALUE;

	/**
	 * Create an instance without counts, which is to {@linkplain #begin begin} with some.
	 */
	protected KeyCounts(RuleCounts counts) {
		this.counts = counts;
	}

	protected KeyCounts(KeyCounts other, Count first) {
		this.counts = other.counts;
		this.first = first;
		this.more = other.more.clone();
		Arrays.setAll(this.more, (i) -> this.more[i].copy());
		this.others = new HashMap<>(other.others);
		this.others.replaceAll((meaning, count) -> count.copy());
		this.ban = (other.ban != null) ? other.ban.copy() : null;
		this.resetAt = other.resetAt;
	}

	/** Create all counts of the rule. */
	protected final void begin() {
		this.more = more(this.counts.size());
		for (int i = 0; i < size(); i++) {
			put(i, created(spec(i)));
		}
	}

	private static Count[] more(int size) {
		return (size == 1) ? NO_MORE : new Count[size - 1];
	}

	/** Create a count that calls need first, unused unless the store knows more. */
	protected Count create(CountSpec spec) {
		return CountType.of(spec.limit(), spec.isInterval()).unused();
	}

	private Count created(CountSpec spec) {
		Count count = create(spec);
		count.setSettled(spec.settled());
		return count;
	}

	/** Return the number of counts, 1 or more. */
	public final int size() {
		return 1 + this.more.length;
	}

	public final Count count(int i) {
		return (i == 0) ? this.first : this.more[i - 1];
	}

	/**
	 * Set one of the counts.
	 * @param count the count; {@code null} while a subclass has the first one in another
	 * form
	 */
	protected final void put(int i, @Nullable Count count) {
		if (i == 0) {
			this.first = count;
		}
		else {
			this.more[i - 1] = count;
		}
	}

	public final CountSpec spec(int i) {
		return this.counts.get(i);
	}

	public final Limit limit(int i) {
		return this.counts.get(i).limit();
	}

	/**
	 * Return the counts that the rule in force does not need, by their meaning: an
	 * earlier version needed them.
	 */
	protected final Map<String, Count> others() {
		return this.others;
	}

	/** Read the denials that count, no bytes if none does. */
	protected final void readDenials(byte[] bytes) {
		this.ban = (bytes.length > 0) ? BanCount.of(bytes) : null;
	}

	/** Return the bytes of the denials that count at some time, none if none does. */
	protected final byte[] denials(long time) {
		return (this.ban == null || this.ban.isUnusedAt(time)) ? NOTHING : this.ban.toBytes();
	}

	/** Advance all counts to the time of a call. */
	public void advance(RuleCounts current, long now) {
		if (this.counts.rule() != current.rule()) {
			follow(current);
		}
		this.first.advance(limit(0), now);
		for (int i = 1; i < size(); i++) {
			count(i).advance(limit(i), now);
		}
		if (this.ban != null) {
			this.ban.advance(current.rule().ban(), now);
		}
	}

	/**
	 * Follow a change of the rule. All counts are kept, even those of removed limits. A
	 * plan has the same counts.
	 */
	private void follow(RuleCounts changed) {
		if (changed.variants().original() == this.counts.variants().original()) {
			this.counts = changed;
			return;
		}
		Map<String, Count> known = new HashMap<>(this.others);
		for (int i = 0; i < size(); i++) {
			known.put(spec(i).meaning(), count(i));
		}
		Count[] all = new Count[changed.size()];
		for (int i = 0; i < all.length; i++) {
			Count count = known.remove(changed.get(i).meaning());
			all[i] = (count != null) ? count : create(changed.get(i));
			all[i].setSettled(changed.get(i).settled());
		}
		this.counts = changed;
		this.more = more(all.length);
		for (int i = 0; i < all.length; i++) {
			put(i, all[i]);
		}
		this.others = known;
	}

	/** Decide a call by these counts alone. */
	public RuleAnswer decide(Demand demand, long now) {
		advance(demand.counts(), now);
		long wait = waitFor(demand);
		countCall(demand, now, wait, demand.accepts(wait) && !isBanned());
		return answer(demand, now);
	}

	/** Decide a call under several rules: all of them count it, or none. */
	public static StoreAnswer decide(Demands demands, List<? extends KeyCounts> counts, long now) {
		RuleAnswer[] answers = new RuleAnswer[demands.size()];
		long[] waits = new long[answers.length];
		boolean admitted = true;
		boolean never = false;
		for (int i = 0; i < waits.length; i++) {
			Demand demand = demands.get(i);
			KeyCounts each = counts.get(i);
			each.advance(demand.counts(), now);
			waits[i] = each.waitFor(demand);
			never |= waits[i] == Count.NEVER;
			admitted &= demand.accepts(waits[i]) && !each.isBanned();
		}
		for (int i = 0; i < waits.length; i++) {
			counts.get(i).countCall(demands.get(i), now, never ? Count.NEVER : waits[i], admitted);
			answers[i] = counts.get(i).answer(demands.get(i), now);
		}
		return StoreAnswer.of(List.of(answers));
	}

	/** Return the answer that a call would get. */
	public RuleAnswer peek(Demand demand, long now) {
		advance(demand.counts(), now);
		waitFor(demand);
		return answer(demand, now);
	}

	private long waitFor(Demand demand) {
		setCall(demand);
		return waitFor(demand.cost());
	}

	/**
	 * Return how long a call has to wait for the slowest of the counts.
	 * @return the microseconds, see {@link Count#waitFor}
	 */
	protected final long waitFor(long cost) {
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
	 * @param admitted whether all rules of the call admit it
	 */
	protected void countCall(Demand demand, long now, long wait, boolean admitted) {
		if (demand.cost() == 0 || wait == Count.NEVER) {
			return;
		}
		if (admitted) {
			setCall(demand);
			take(demand.cost(), wait);
		}
		else {
			deny(demand.cost());
			Ban rules = this.counts.rule().ban();
			if (rules != null && !demand.accepts(wait) && !isBanned()) {
				this.ban = (this.ban != null) ? this.ban : new BanCount(now);
				this.ban.takeDenied(rules);
			}
		}
		if (this.ban != null) {
			this.ban.moveBack();
		}
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
	protected final void deny(long cost) {
		for (int i = 0; i < size(); i++) {
			Limit limit = limit(i);
			if (limit.countDenied()) {
				count(i).countDenied(limit, cost);
				count(i).waitFor(limit, cost);
			}
			else {
				count(i).moveBack(limit);
			}
		}
	}

	/** Set the call whose units are taken or refunded next. */
	protected final void setCall(Demand demand) {
		for (int i = 0; i < size(); i++) {
			count(i).of(demand.call());
		}
	}

	/**
	 * Correct what calls have taken, and free what they hold. A count that equals an
	 * unused one after a refund is forgotten.
	 * @return how many units each count has charged
	 */
	public long[] correct(Correction correction) {
		if (correction.kind() == Kind.REFUND) {
			setCall(correction.demand());
		}
		boolean isForgotten = correction.isForgotten(this.resetAt);
		long[] charged = new long[size()];
		for (int i = 0; i < charged.length; i++) {
			long units = correction.units(i);
			if (units > 0 && (!isForgotten || count(i).isHeldByCalls())) {
				charged[i] = correct(i, units, correction);
			}
		}
		return charged;
	}

	private long correct(int i, long units, Correction correction) {
		if (correction.kind() == Kind.CHARGE) {
			return count(i).charge(limit(i), units, correction.demand().maxWaitMicros());
		}
		long countedAt = count(i).isHeldByCalls() ? Count.NEWEST : correction.countedAt();
		if (correction.kind() == Kind.DEBT) {
			count(i).owe(limit(i), units, countedAt, correction.mayBeFirst());
		}
		else if (count(i).refund(limit(i), units, countedAt) && count(i).isUnusedNow()) {
			put(i, created(spec(i)));
		}
		return 0;
	}

	/** Forget all counts, and the calls that were counted. */
	public void reset(long now) {
		forget();
		this.resetAt = now;
	}

	/** Replace all counts by unused ones, and lift the ban. */
	public final void forget() {
		for (int i = 0; i < size(); i++) {
			put(i, created(spec(i)));
		}
		if (this.ban != null && this.ban.isInForce()) {
			this.ban = null;
		}
	}

	/** Return the answer of all counts to the call that was decided. */
	protected final RuleAnswer answer(Demand demand, long now) {
		LimitOutcome first = outcome(0);
		RuleAnswer answer = (size() == 1) ? RuleAnswer.of(demand, now, first)
				: RuleAnswer.of(demand, now, (i) -> (i == 0) ? first : outcome(i));
		return isBanned()
				? answer.bannedBy(new BanOutcome(this.ban.begins(), this.ban.retryAfter(), this.ban.resetAfter()))
				: answer;
	}

	private LimitOutcome outcome(int i) {
		Limit limit = limit(i);
		Count count = count(i);
		return new LimitOutcome(count.remainingNow(limit), count.lastWait(), count.resetAfterNow());
	}

	/** Return whether nothing counts at some time, and no ban is remembered. */
	protected boolean isUnused(long time) {
		for (int i = 0; i < size(); i++) {
			if (!count(i).isUnusedAt(time)) {
				return false;
			}
		}
		return (this.ban == null || this.ban.isUnusedAt(time))
				&& this.others.values().stream().allMatch((count) -> count.isUnusedAt(time));
	}

	/** Return the time until nothing counts any more, and no ban is remembered. */
	protected final long resetAfter() {
		long latest = (this.ban != null) ? this.ban.resetAfter() : 0;
		for (Count each : this.others.values()) {
			latest = Math.max(latest, each.resetAfterNow());
		}
		for (int i = 0; i < size(); i++) {
			latest = Math.max(latest, count(i).resetAfterNow());
		}
		return latest;
	}

	/** Return the time of the latest reset, in the distant past if there was none. */
	protected final long resetAt() {
		return this.resetAt;
	}

	protected final void setResetAt(long time) {
		this.resetAt = time;
	}

	private boolean isBanned() {
		return this.ban != null && this.ban.isOn();
	}

	/**
	 * Return for how many microseconds the ban denies all calls of the key from some time
	 * on, 0 if the limits decide then. Nothing changes.
	 */
	public final long deniedFor(long time) {
		return (this.ban != null) ? this.ban.retryAfter(time) : 0;
	}

}
