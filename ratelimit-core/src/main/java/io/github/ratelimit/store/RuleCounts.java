package io.github.ratelimit.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;

/**
 * Rule prepared for counting: its counts and the {@linkplain RuleValue values} that
 * stores derive from it. It is created once, when the rule comes into force, and is part
 * of each {@link Demand}.
 *
 * <p>
 * Counters belong to the name of the rule and the {@linkplain CountSpec#meaning meaning}
 * of each count. A rule that changes, by configuration or as one of its
 * {@linkplain RuleVariants variants}, is prepared anew and keeps its counters.
 *
 * @since 0.1.0
 */
public final class RuleCounts {

	static final RuleCounts[] NO_CANDIDATES = {};

	private final RateLimitRule rule;

	private final CountSpec[] specs;

	private final long maxWaitMicros;

	private final boolean needsEnd;

	private final boolean fixed;

	private final boolean variesByCall;

	private final @Nullable String plan;

	private final RuleCounts[] candidates;

	private final @Nullable Candidate candidate;

	private volatile @Nullable RuleVariants variants;

	private volatile @Nullable Computed<?> computed;

	private RuleCounts(RateLimitRule rule, @Nullable String plan, RuleCounts[] candidates,
			@Nullable Candidate candidate, boolean variesByCall) {
		this.rule = rule;
		this.specs = specs(rule);
		this.maxWaitMicros = rule.maxWait().toNanos() / 1000;
		this.fixed = rule.schedule().isEmpty() && rule.headroom().isEmpty() && !rule.isAdaptive();
		this.variesByCall = variesByCall;
		this.plan = plan;
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
					.map((each) -> of(rule.ofCandidate(each.getKey()), NO_CANDIDATES,
							Candidate.of(each.getKey(), each.getValue(), changed.get(each.getKey()))))
					.toArray(RuleCounts[]::new);
		return of(rule, candidates, null);
	}

	private static RuleCounts of(RateLimitRule rule, RuleCounts[] candidates, @Nullable Candidate candidate) {
		return new RuleCounts(rule, null, candidates, candidate, rule.zone() != null || rule.hasPlans());
	}

	/**
	 * Prepare a variant of this rule.
	 * @param place returns the place of the variant among all
	 */
	RuleCounts variant(RateLimitRule changed, @Nullable String ofPlan, RuleCounts[] tried,
			Function<RuleCounts, RuleVariants> place) {
		RuleCounts variant = new RuleCounts(changed, ofPlan, tried, this.candidate, this.variesByCall);
		variant.variants = place.apply(variant);
		return variant;
	}

	RuleVariants variants() {
		RuleVariants known = this.variants;
		return (known != null) ? known : firstVariants();
	}

	private synchronized RuleVariants firstVariants() {
		RuleVariants known = this.variants;
		if (known == null) {
			known = new RuleVariants(this);
			this.variants = known;
		}
		return known;
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
	 * {@return the rule as it counts now}
	 */
	public RateLimitRule rule() {
		return this.rule;
	}

	/**
	 * {@return how many counts the rule has, at least one for each limit}
	 */
	public int size() {
		return this.specs.length;
	}

	/**
	 * {@return one of the counts} Those of a limit follow each other, in the order of the
	 * limits.
	 * @param index its index, from 0 on
	 */
	public CountSpec get(int index) {
		return this.specs[index];
	}

	/**
	 * {@return whether calls of the rule hold something until they end: one of the counts
	 * is {@linkplain CountSpec#isHeldByCalls() held by calls}}
	 */
	public boolean needsEnd() {
		return this.needsEnd;
	}

	/**
	 * {@return the failure of a call that {@linkplain #needsEnd needs an end} which is
	 * not noticed, so that it would hold its slots for ever}
	 * @param call the kind of call
	 * @param remedy what to do instead
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
	 * {@return how many candidates decide calls of the rule, each by itself; 0 for most
	 * rules, and for keys with numbers of their own}
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
	 * {@return how long a call may wait by default, in microseconds}
	 */
	public long maxWaitMicros() {
		return this.maxWaitMicros;
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
	 * Return the plan that gives the numbers.
	 * @return its name, or {@code null} for the rule's own numbers and a {@link Limit}
	 */
	public @Nullable String plan() {
		return this.plan;
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
	 * Identity of a candidate, alike in all instances. A changed candidate is another
	 * one, whose counters and figures begin anew.
	 *
	 * @param name the name
	 * @param id the name and eight digits that differ for other limits and for another
	 * change at run time
	 */
	private record Candidate(String name, String id) {

		static Candidate of(String name, List<Limit> limits, @Nullable Instant changed) {
			StringBuilder text = new StringBuilder((changed != null) ? changed + " " : "");
			for (Limit limit : limits) {
				for (LimitAttribute<?> attribute : LimitAttribute.all()) {
					text.append(attribute).append('=').append(limit.get(attribute)).append(' ');
				}
			}
			return new Candidate(name, name + "-%08x".formatted(text.toString().hashCode()));
		}

	}

	/**
	 * Value computed for this rule, linked to those computed before.
	 */
	private record Computed<T>(RuleValue<T> of, T value, @Nullable Computed<?> next) {

	}

}
