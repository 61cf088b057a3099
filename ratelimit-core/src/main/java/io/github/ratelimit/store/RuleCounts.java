package io.github.ratelimit.store;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.ScheduledPlan;

/**
 * Rule prepared for counting: its counts and the {@linkplain RuleValue values} that
 * stores derive from it. It is created once, when the rule comes into force, and is part
 * of each {@link Demand}.
 *
 * <p>
 * Counters belong to the name of the rule and the {@linkplain CountSpec#meaning meaning}
 * of each count. A rule that changes, by configuration or as a {@linkplain #variant
 * variant} with other numbers, is prepared anew and keeps its counters.
 *
 * @since 0.1.0
 */
public final class RuleCounts {

	private static final RuleCounts[] NO_CANDIDATES = {};

	private final RateLimitRule rule;

	private final CountSpec[] specs;

	private final long maxWaitMicros;

	private final boolean needsEnd;

	private final RuleCounts own;

	private final @Nullable String plan;

	private final RuleCounts general;

	private final RuleCounts withoutZone;

	private final RuleCounts withoutClass;

	private final @Nullable ZoneId zone;

	private final boolean variesByCall;

	private final boolean fixed;

	private final RuleCounts[] candidates;

	private final @Nullable Candidate candidate;

	private volatile @Nullable RuleVariants variants;

	private volatile @Nullable Computed<?> computed;

	private volatile @Nullable RuleCounts latest;

	private RuleCounts(RateLimitRule rule, RuleCounts[] candidates, @Nullable Candidate candidate) {
		this(rule, null, null, null, null, null, null, candidates, candidate);
	}

	private RuleCounts(RateLimitRule rule, @Nullable RuleCounts own, @Nullable String plan,
			@Nullable RuleCounts general, @Nullable RuleCounts withoutClass, @Nullable RuleCounts withoutZone,
			@Nullable ZoneId zone, RuleCounts[] candidates, @Nullable Candidate candidate) {
		this.rule = rule;
		this.specs = specs(rule);
		this.maxWaitMicros = rule.maxWait().toNanos() / 1000;
		this.own = (own != null) ? own : this;
		this.plan = plan;
		this.general = (general != null) ? general : this;
		this.withoutClass = (withoutClass != null) ? withoutClass : this;
		this.withoutZone = (withoutZone != null) ? withoutZone : this;
		this.zone = zone;
		this.variesByCall = zone != null || rule.zone() != null || rule.hasPlans();
		this.fixed = rule.schedule().isEmpty() && rule.headroom().isEmpty() && !rule.isAdaptive();
		this.candidates = candidates;
		this.candidate = candidate;
		boolean needsEnd = false;
		for (CountSpec spec : this.specs) {
			needsEnd |= spec.isHeldByCalls();
		}
		this.needsEnd = needsEnd;
	}

	/**
	 * Prepare a rule.
	 * @param rule the rule, none of its limits counted by {@code DEFAULT}
	 * @return the prepared rule
	 */
	public static RuleCounts of(RateLimitRule rule) {
		return of(rule, Map.of());
	}

	/**
	 * Prepare a rule.
	 * @param rule the rule, none of its limits counted by {@code DEFAULT}
	 * @param changed the times at which candidates were changed at run time, by their
	 * name; the counters of each begin at that time
	 * @return the prepared rule
	 */
	public static RuleCounts of(RateLimitRule rule, Map<String, Instant> changed) {
		RuleCounts[] candidates = rule.candidates().isEmpty() ? NO_CANDIDATES
				: rule.candidates()
					.entrySet()
					.stream()
					.map((each) -> new RuleCounts(rule.ofCandidate(each.getKey()), NO_CANDIDATES,
							Candidate.of(each.getKey(), each.getValue(), changed.get(each.getKey()))))
					.toArray(RuleCounts[]::new);
		return new RuleCounts(rule, candidates, null);
	}

	private RuleCounts[] candidates(UnaryOperator<RuleCounts> change) {
		return (this.candidates.length == 0) ? NO_CANDIDATES
				: Arrays.stream(this.candidates).map(change).toArray(RuleCounts[]::new);
	}

	private static CountSpec[] specs(RateLimitRule rule) {
		List<CountSpec> specs = new ArrayList<>();
		for (Limit limit : rule.limits()) {
			String name = (rule.limits().size() > 1) ? limit.name() : null;
			specs.add(CountSpec.of(limit, name, rule));
			Limit interval = limit.interval();
			if (interval != null) {
				specs.add(CountSpec.ofInterval(interval, name));
			}
		}
		return specs.toArray(CountSpec[]::new);
	}

	/**
	 * Return the rule.
	 * @return the rule as it counts now
	 */
	public RateLimitRule rule() {
		return this.rule;
	}

	/**
	 * Return how many counts the rule has, at least one for each limit.
	 * @return the number of counts
	 */
	public int size() {
		return this.specs.length;
	}

	/**
	 * Return one of the counts. Those of a limit follow each other, in the order of the
	 * limits.
	 * @param index its index, from 0 on
	 * @return the count
	 */
	public CountSpec get(int index) {
		return this.specs[index];
	}

	/**
	 * Return whether calls of the rule hold something until they end.
	 * @return whether one of the counts is {@linkplain CountSpec#isHeldByCalls() held by
	 * calls}
	 */
	public boolean needsEnd() {
		return this.needsEnd;
	}

	/**
	 * Return the failure of a call that {@linkplain #needsEnd needs an end} which is not
	 * noticed, so that it would hold its slots for ever.
	 * @param call the kind of call
	 * @param remedy what to do instead
	 * @return the failure
	 */
	public IllegalStateException endUnnoticed(String call, String remedy) {
		return new IllegalStateException("Calls of rule \"" + this.rule.name()
				+ "\" hold slots until they end, and the end of " + call + " is not noticed. " + remedy);
	}

	/**
	 * Return how long calls of an instance that died hold what others need.
	 * @return the shortest lease of the limits in nanoseconds; the longest possible one
	 * if calls hold nothing
	 */
	public long leaseNanos() {
		return Arrays.stream(this.specs)
			.filter(CountSpec::isHeldByCalls)
			.mapToLong((spec) -> spec.limit().lease().toNanos())
			.min()
			.orElse(Limit.MAX_LEASE.toNanos());
	}

	/**
	 * Return how many candidates decide calls of the rule, each by itself.
	 * @return the number of candidates; 0 for most rules, and for keys with numbers of
	 * their own
	 */
	public int candidateCount() {
		return this.candidates.length;
	}

	/**
	 * Return one of the candidates, prepared like a rule: with counters of its own in the
	 * failure domain of the rule.
	 * @param index its index, from 0 on
	 * @return the candidate, for the class and the zone of these calls
	 */
	public RuleCounts candidate(int index) {
		return this.candidates[index];
	}

	/**
	 * Return the name of the candidate that these counts belong to.
	 * @return the name, {@code null} for the counts of a rule itself
	 */
	public @Nullable String candidateName() {
		return (this.candidate != null) ? this.candidate.name() : null;
	}

	/**
	 * Return the identifier of the candidate that these counts belong to among all
	 * candidates of the rule. A candidate with other numbers has another one, and so has
	 * one that was changed at run time, also to the same numbers.
	 * @return the identifier, {@code null} for the counts of a rule itself
	 */
	public @Nullable String candidateId() {
		return (this.candidate != null) ? this.candidate.id() : null;
	}

	/**
	 * Return the identifier of the counters of a key among those of all rules. It stays
	 * the same when a rule changes, but not when a candidate does.
	 * @return the name of the rule, that of a candidate behind a colon
	 */
	public String counters() {
		String name = this.rule.name();
		return (this.candidate != null) ? name + ':' + this.candidate.id() : name;
	}

	/**
	 * Return how long a call may wait by default.
	 * @return the wait of the rule in microseconds
	 */
	public long maxWaitMicros() {
		return this.maxWaitMicros;
	}

	/**
	 * Return this rule with other numbers and the same counters. The latest variant is
	 * cached.
	 * @param changed the rule with its current numbers
	 * @return the prepared variant, or this object if nothing has changed
	 */
	public RuleCounts variant(RateLimitRule changed) {
		if (changed == this.rule) {
			return this;
		}
		RuleCounts known = this.latest;
		if (known == null || known.rule != changed) {
			known = of(changed);
			this.latest = known;
		}
		return known;
	}

	/**
	 * Return this rule as it counts calls in a time zone. A stored window belongs to the
	 * zone of the call that was admitted last; for a call in another zone, the calendar
	 * has changed.
	 * @param selected the zone, {@code null} for UTC
	 * @return the prepared variant, the same object for equal zones, or the rule without
	 * a zone if none of its zones depends on the call
	 */
	public RuleCounts inZone(@Nullable ZoneId selected) {
		return (selected != null && this.withoutZone.variesByZone()) ? this.withoutZone.variants().inZone(selected)
				: this.withoutZone;
	}

	private boolean variesByZone() {
		return this.rule.zone() != null;
	}

	RuleCounts prepareZone(ZoneId selected) {
		return new RuleCounts(this.rule.inZone(selected), this.own, this.plan,
				(this.general != this) ? this.general.inZone(selected) : null,
				(this.withoutClass != this) ? this.withoutClass.inZone(selected) : null, this, selected,
				candidates((each) -> each.inZone(selected)), this.candidate);
	}

	private RuleVariants variants() {
		RuleVariants known = this.variants;
		return (known != null) ? known : prepareVariants();
	}

	private synchronized RuleVariants prepareVariants() {
		RuleVariants known = this.variants;
		if (known == null) {
			known = new RuleVariants(this);
			this.variants = known;
		}
		return known;
	}

	/**
	 * Return the time zone that the call has selected.
	 * @return the zone, or {@code null} if it has selected none
	 */
	public @Nullable ZoneId zone() {
		return this.zone;
	}

	/**
	 * Return whether calls of one key may be counted by different numbers or zones.
	 * @return whether the rule has plans, or zones that calls select
	 */
	public boolean variesByCall() {
		return this.variesByCall;
	}

	/**
	 * Return whether calls are over with their decision.
	 * @return {@code true} if none of them waits for its turn, holds something until it
	 * ends, or is tried by candidates
	 */
	public boolean endsWithDecision() {
		return this.maxWaitMicros == 0 && !this.needsEnd && this.candidates.length == 0;
	}

	/**
	 * Return whether calls are decided by these numbers at any time, under any load and
	 * whatever class they name.
	 * @return whether the rule has no schedule, adaptive limit or headroom
	 */
	public boolean isFixed() {
		return this.fixed;
	}

	/**
	 * Return the rule with its own numbers.
	 * @return the rule that this one is a plan of, or this object if it is under no plan
	 */
	public RuleCounts own() {
		return this.own;
	}

	/**
	 * Return the plan that gives the numbers.
	 * @return its name, or {@code null} for the rule's own numbers and a {@link Limit}
	 */
	public @Nullable String plan() {
		return this.plan;
	}

	/**
	 * Return this rule under one of its plans.
	 * @param name the name of the plan
	 * @return the prepared variant, the same object each time, or {@code null} if there
	 * is no such plan
	 */
	public @Nullable RuleCounts under(String name) {
		return this.rule.hasPlans() ? this.own.variants().under(name) : null;
	}

	/**
	 * Return this rule under the plan of its schedule.
	 * @param time the time
	 * @return the prepared variant, or this object if no plan holds, or if the call has
	 * selected one or has numbers of its own
	 */
	public RuleCounts scheduled(ZonedDateTime time) {
		ScheduledPlan entry = (this.withoutZone.own != this.withoutZone) ? null : this.rule.scheduledAt(time);
		RuleCounts planned = (entry != null) ? under(entry.plan()) : null;
		return (planned != null) ? planned.inZone(this.zone) : this;
	}

	RuleCounts preparePlan(RateLimitRule planned, @Nullable String name) {
		return new RuleCounts(planned, this, name, null, null, null, null, this.candidates, null);
	}

	/**
	 * Return this rule with the numbers of a single caller.
	 * @param numbers the {@linkplain io.github.ratelimit.LimitAttribute#NUMBERS numbers};
	 * all else is the rule's
	 * @param inForce completes and validates the rule with these numbers
	 * @return the prepared variant, the same object for equal numbers
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the rule cannot have
	 * these numbers
	 */
	public RuleCounts under(Limit numbers, UnaryOperator<RateLimitRule> inForce) {
		return this.own.variants().under(numbers, inForce);
	}

	/**
	 * Return this rule under the plan of an earlier version of it, and in its time zone.
	 * @param other a version of this rule
	 * @return the prepared variant, with its own numbers if the plan is gone
	 */
	public RuleCounts underPlanOf(RuleCounts other) {
		RuleCounts without = other.withoutZone;
		if (without.own == without) {
			return this.own.inZone(other.zone);
		}
		RuleCounts planned = (without.plan != null) ? under(without.plan) : underNumbersOf(without.rule);
		return ((planned != null) ? planned : this.own).inZone(other.zone);
	}

	private @Nullable RuleCounts underNumbersOf(RateLimitRule other) {
		try {
			return under(other.limits().get(0), UnaryOperator.identity());
		}
		catch (RateLimitConfigurationException ex) {
			return null;
		}
	}

	/**
	 * Return this rule without the time zone of the call.
	 * @return the rule that this one is a variant of, or this object
	 */
	public RuleCounts withoutZone() {
		return this.withoutZone;
	}

	/**
	 * Return this rule with the numbers of one key, and the same counters. Candidates,
	 * which are numbers of the rule, do not decide its calls. Callers cache the result.
	 * @param changed the rule with these numbers, without a zone of a call
	 * @return a newly prepared variant
	 */
	public RuleCounts withNumbers(RateLimitRule changed) {
		return new RuleCounts(changed, (this.own != this) ? this.own : null, this.plan, this.general, null, null, null,
				NO_CANDIDATES, this.candidate);
	}

	/**
	 * Return the rule as it counts keys that have no numbers of their own.
	 * @return the rule without the {@link #withNumbers numbers} of a key
	 */
	public RuleCounts general() {
		return this.general;
	}

	/**
	 * Return this rule as it decides calls of a class, with the same counters.
	 * @param priority the class that the call names, {@code null} for none
	 * @return the prepared variant, the same object each time, or this object if calls of
	 * the class leave nothing free
	 */
	public RuleCounts below(@Nullable String priority) {
		String ofClass = this.rule.classOf(priority);
		if (ofClass == null) {
			return this;
		}
		if (this.withoutZone != this) {
			return this.withoutZone.below(ofClass).inZone(this.zone);
		}
		return variants().below(ofClass);
	}

	RuleCounts prepareClass(String ofClass) {
		RateLimitRule changed = this.rule.below(ofClass);
		return (changed == this.rule) ? this : new RuleCounts(changed, (this.own != this) ? this.own : null, this.plan,
				this.general, this, null, null, candidates((each) -> each.below(ofClass)), this.candidate);
	}

	/**
	 * Return the rule as it decides calls that leave nothing free.
	 * @return the rule that this one is a class of, or this object
	 */
	public RuleCounts withoutClass() {
		return this.withoutClass;
	}

	/**
	 * Merge the outcomes of several counts to those of the limits.
	 * @param first the outcome of the first count
	 * @param ofCount returns the outcome of the count with an index, which grows
	 * @return an outcome per limit, in order
	 */
	List<LimitOutcome> outcomes(LimitOutcome first, IntFunction<LimitOutcome> ofCount) {
		List<LimitOutcome> outcomes = new ArrayList<>(this.specs.length);
		outcomes.add(first);
		for (int i = 1; i < this.specs.length; i++) {
			if (this.specs[i].isInterval()) {
				int last = outcomes.size() - 1;
				outcomes.set(last, outcomes.get(last).delayedBy(ofCount.apply(i)));
			}
			else {
				outcomes.add(ofCount.apply(i));
			}
		}
		return outcomes;
	}

	<T> T value(RuleValue<T> of) {
		Computed<T> known = computed(of);
		return (known != null) ? known.value : compute(of);
	}

	private synchronized <T> T compute(RuleValue<T> of) {
		Computed<T> known = computed(of);
		if (known == null) {
			known = new Computed<>(of, of.compute(this), this.computed);
			this.computed = known;
		}
		return known.value;
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable Computed<T> computed(RuleValue<T> of) {
		for (Computed<?> each = this.computed; each != null; each = each.next) {
			if (each.of == of) {
				return (Computed<T>) each;
			}
		}
		return null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RuleCounts that && this.rule.equals(that.rule)
				&& Objects.equals(this.candidate, that.candidate);
	}

	@Override
	public int hashCode() {
		return this.rule.hashCode();
	}

	@Override
	public String toString() {
		return this.rule.toString();
	}

	/**
	 * Value computed for this rule, linked to those computed before.
	 */
	private record Computed<T>(RuleValue<T> of, T value, @Nullable Computed<?> next) {

	}

}
