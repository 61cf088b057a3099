package io.github.ratelimit.store;

import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Cause;
import io.github.ratelimit.Decision.Denial;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;

/**
 * Answer of a store to one demand: the outcome of each limit of the rule, and the time of
 * the decision. Failure domains of a store may have clocks of their own.
 *
 * @param demand the demand
 * @param time when it was decided, in microseconds of the clock by which it is counted
 * @param first the outcome of the first limit, the only one of most rules
 * @param others the outcomes of the other limits, in order
 * @param ban the ban that denies the call, or that this denial begins; {@code null} if
 * the key is not banned
 * @param heldFor how long instances may still hold units of the key, in microseconds: a
 * denial holds no longer for sure, since they may return these; 0 if none holds any
 * @since 0.1.0
 */
public record RuleAnswer(Demand demand, long time, LimitOutcome first, List<LimitOutcome> others,
		@Nullable BanOutcome ban, int heldFor) implements StoreAnswer {

	/**
	 * {@return the answer of all counts of a rule, with the outcomes of the limits}
	 * @param demand the demand
	 * @param time when it was decided
	 * @param ofCount returns the outcome of the count with an index
	 */
	public static RuleAnswer of(Demand demand, long time, IntFunction<LimitOutcome> ofCount) {
		LimitOutcome first = ofCount.apply(0);
		if (demand.counts().size() == 1) {
			return new RuleAnswer(demand, time, first, List.of(), null, 0);
		}
		List<LimitOutcome> outcomes = demand.counts().outcomes(first, ofCount);
		return new RuleAnswer(demand, time, outcomes.get(0), List.copyOf(outcomes.subList(1, outcomes.size())), null,
				0);
	}

	/**
	 * {@return the answer of the only count of a rule}
	 * @param demand the demand
	 * @param time when it was decided
	 * @param only the outcome of the count
	 */
	public static RuleAnswer of(Demand demand, long time, LimitOutcome only) {
		return new RuleAnswer(demand, time, only, List.of(), null, 0);
	}

	/**
	 * {@return the same answer for a banned key, whatever the outcomes of the limits are}
	 * @param ban the outcome of the ban
	 */
	public RuleAnswer bannedBy(BanOutcome ban) {
		return new RuleAnswer(this.demand, this.time, this.first, this.others, ban, this.heldFor);
	}

	/**
	 * {@return the same answer about a key of which instances hold units}
	 * @param micros how long they may hold them, in microseconds; 0 if none does
	 */
	public RuleAnswer whileUnitsAreHeld(long micros) {
		return (micros == this.heldFor) ? this
				: new RuleAnswer(this.demand, this.time, this.first, this.others, this.ban, Math.toIntExact(micros));
	}

	/**
	 * {@return whether the key is banned}
	 */
	public boolean isBanned() {
		return this.ban != null;
	}

	/**
	 * {@return how many limits the rule has}
	 */
	public int limitCount() {
		return this.demand.rule().limits().size();
	}

	/**
	 * {@return the outcome of one limit}
	 * @param limit the index of the limit
	 */
	public LimitOutcome outcome(int limit) {
		return (limit == 0) ? this.first : this.others.get(limit - 1);
	}

	/**
	 * {@return the outcomes of all limits, in their order}
	 */
	public List<LimitOutcome> outcomes() {
		return IntStream.range(0, limitCount()).mapToObj(this::outcome).toList();
	}

	@Override
	public int size() {
		return 1;
	}

	@Override
	public RuleAnswer get(int index) {
		return this;
	}

	@Override
	public List<RuleAnswer> asList() {
		return List.of(this);
	}

	/**
	 * Return whether all limits of the rule admit the call, now or after a wait that it
	 * accepts, and the key is not banned.
	 */
	@Override
	public boolean isAdmitted() {
		return this.demand.accepts(longestWait()) && this.ban == null;
	}

	@Override
	public boolean needsEnd() {
		return this.demand.needsEnd();
	}

	@Override
	public long delay() {
		return isAdmitted() ? longestWait() : 0;
	}

	/**
	 * Return whether other calls have to end before this one is admitted.
	 * @return whether a limit denies it for a time that is unknown
	 */
	public boolean waitsForOthers() {
		return longestWait() == LimitOutcome.UNKNOWN;
	}

	/**
	 * Return when the same call would be admitted, as far as is known. A call that may
	 * wait is admitted as soon as the rest of its wait is short enough, but not before a
	 * ban ends. When other calls end is unknown.
	 * @return 0 if it is admitted or only {@linkplain #waitsForOthers() waits for
	 * others}, {@link LimitOutcome#NEVER} if it can never be, else the microseconds until
	 * it would be
	 */
	public long retryAfter() {
		long ofLimits = retryAfter(waitsForOthers() ? longestKnownWait() : longestWait());
		return (this.ban != null) ? LimitOutcome.longer(ofLimits, this.ban.endsAfter()) : ofLimits;
	}

	/**
	 * Return how long the store would repeat this denial without counting it, as far as
	 * is known: until a ban ends, or units come back or are no longer held elsewhere.
	 * @return the microseconds, {@link Long#MAX_VALUE} for ever; 0 if each further denial
	 * counts, or other calls may end at any time
	 */
	public long repeatedFor() {
		if (this.ban != null) {
			return this.ban.endsAfter();
		}
		RateLimitRule rule = this.demand.rule();
		if (waitsForOthers() || rule.ban() != null || rule.limits().stream().anyMatch(Limit::countDenied)) {
			return 0;
		}
		long longest = (this.heldFor > 0) ? this.heldFor : Long.MAX_VALUE;
		long retryAfter = retryAfter();
		return (retryAfter == LimitOutcome.NEVER) ? longest : Math.min(longest, retryAfter);
	}

	/**
	 * Return when one limit would admit the same call.
	 * @param limit the index of the limit
	 * @return 0 if it admits the call, {@link LimitOutcome#NEVER} if it never can,
	 * {@link LimitOutcome#UNKNOWN} if other calls have to end first, else the
	 * microseconds until it would
	 */
	public long retryAfter(int limit) {
		return retryAfter(outcome(limit).retryAfter());
	}

	private long retryAfter(long wait) {
		return (wait == LimitOutcome.NEVER || wait == LimitOutcome.UNKNOWN) ? wait
				: Math.max(0, wait - this.demand.maxWaitMicros());
	}

	private long longestWait() {
		long wait = this.first.retryAfter();
		for (int i = 0; i < this.others.size(); i++) {
			wait = LimitOutcome.longer(wait, this.others.get(i).retryAfter());
		}
		return wait;
	}

	private long longestKnownWait() {
		long wait = 0;
		for (int i = 0; i < limitCount(); i++) {
			long own = outcome(i).retryAfter();
			wait = (own != LimitOutcome.UNKNOWN) ? LimitOutcome.longer(wait, own) : wait;
		}
		return wait;
	}

	/**
	 * Return when one limit equals an unused one, as far as is known.
	 * @param limit the index of the limit
	 * @return the microseconds until then; 0 for a limit without a period
	 */
	public long resetAfter(int limit) {
		return this.demand.rule().limits().get(limit).period().isZero() ? 0 : outcome(limit).resetAfter();
	}

	@Override
	public RuleAnswer tightest() {
		return this;
	}

	/**
	 * Return the index of the limit that matters most: of a denied call the one that
	 * holds longest, of an allowed call the one with the fewest units left.
	 */
	int tightestLimit(boolean allowed) {
		int tightest = 0;
		for (int i = 1; i < limitCount(); i++) {
			tightest = isTighter(allowed, i, tightest) ? i : tightest;
		}
		return tightest;
	}

	private boolean isTighter(boolean allowed, int limit, int other) {
		return allowed ? outcome(limit).leavesLessThan(outcome(other))
				: LimitOutcome.isLonger(retryAfter(limit), retryAfter(other));
	}

	/**
	 * Return whether this rule matters more than another one: of a denied call the one
	 * that holds longest, of an allowed call the one with the fewest units left.
	 */
	boolean isTighter(boolean allowed, RuleAnswer other) {
		if (allowed) {
			return outcome(tightestLimit(true)).leavesLessThan(other.outcome(other.tightestLimit(true)));
		}
		long retryAfter = retryAfter();
		return LimitOutcome.isLonger(retryAfter, other.retryAfter())
				|| retryAfter == other.retryAfter() && waitsForOthers() && !other.waitsForOthers();
	}

	/**
	 * Return what denies the call: its limits and, if it begins one, the ban; the ban
	 * alone while the key is banned.
	 */
	@Override
	public List<Denial> denials() {
		RateLimitRule rule = this.demand.rule();
		List<Denial> denials = new ArrayList<>();
		for (int i = 0; i < limitCount() && (this.ban == null || this.ban.begins()); i++) {
			if (retryAfter(i) != 0) {
				denials.add(new Denial(rule.name(), rule.nameOf(rule.limits().get(i)), Cause.LIMIT));
			}
		}
		if (this.ban != null) {
			denials.add(new Denial(rule.name(), rule.nameOfBan(), Cause.BAN, duration(retryAfter())));
		}
		return List.copyOf(denials);
	}

	/**
	 * {@return the refund of an admitted call} The rule has counted it as of the time at
	 * which the slowest of its limits admits it.
	 */
	public Correction refund() {
		return Correction.refund(this.demand, this.time + delay(), this.time);
	}

	/**
	 * {@return the same answer to another demand}
	 * @param other the demand
	 */
	public RuleAnswer to(Demand other) {
		return new RuleAnswer(other, this.time, this.first, this.others, this.ban, this.heldFor);
	}

	/**
	 * {@return the answer to the same call some time later, if nothing was taken since} A
	 * ban that the call began has begun before.
	 * @param elapsed the time in microseconds
	 */
	public RuleAnswer after(long elapsed) {
		return new RuleAnswer(this.demand, this.time, this.first.after(elapsed),
				this.others.stream().map((each) -> each.after(elapsed)).toList(),
				(this.ban != null) ? this.ban.after(elapsed) : null, (int) Math.max(0, this.heldFor - elapsed));
	}

	private LimitStatus status(int index) {
		RateLimitRule rule = this.demand.rule();
		Limit limit = rule.limits().get(index);
		LimitOutcome outcome = outcome(index);
		long retryAfter = retryAfter(index);
		LimitCalendar calendar = limit.calendar();
		return new LimitStatus(rule.name(), rule.nameOf(limit), limit.max(), limit.capacity(),
				limit.periodAt(this.time), outcome.remaining(), duration(retryAfter), duration(resetAfter(index)),
				(calendar != null) ? calendar.unit() : null, limit.minInterval(), retryAfter == 0);
	}

	private static Duration duration(long micros) {
		if (micros == LimitOutcome.UNKNOWN) {
			return Duration.ZERO;
		}
		return (micros == LimitOutcome.NEVER) ? Decision.NEVER : Duration.ofNanos(micros * 1000);
	}

	/**
	 * Statuses of all limits of an answer, rules and limits in order. Each is made when
	 * it is read.
	 */
	static final class Statuses extends AbstractList<LimitStatus> implements RandomAccess {

		private final StoreAnswer answer;

		private final int size;

		Statuses(StoreAnswer answer) {
			this.answer = answer;
			int limits = 0;
			for (int i = 0; i < answer.size(); i++) {
				limits += answer.get(i).limitCount();
			}
			this.size = limits;
		}

		@Override
		public int size() {
			return this.size;
		}

		@Override
		public LimitStatus get(int index) {
			int rule = 0;
			int limit = index;
			while (limit >= this.answer.get(rule).limitCount()) {
				limit -= this.answer.get(rule).limitCount();
				rule++;
			}
			return this.answer.get(rule).status(limit);
		}

	}

}
