package io.github.ratelimit.store;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.ScheduledPlan;

/**
 * Place of a prepared rule among its variants, by what calls have or select: a plan,
 * numbers of their key, a class or a time zone. Each is a step from another variant, in
 * this order, and all have the same counters. They are prepared when they are first met.
 *
 * @since 0.1.0
 */
public final class RuleVariants {

	private static final int MOST_PLANS = 10_000;

	/**
	 * Bound on the prepared time zones. There are fewer names, but any number of offsets.
	 */
	private static final int MOST_ZONES = 1_000;

	private final RuleCounts counts;

	private final Step step;

	/** The variant before the step, this one if there is none. */
	private final RuleVariants before;

	private final @Nullable ZoneId zone;

	/** By the name of a plan, or the numbers of a single caller. */
	private final RecentVariants planned = new RecentVariants(MOST_PLANS);

	/** By the name of a class, or the time zone. */
	private final RecentVariants called = new RecentVariants(MOST_ZONES);

	private volatile @Nullable RuleCounts latest;

	RuleVariants(RuleCounts counts) {
		this(counts, Step.NONE, null, null);
	}

	private RuleVariants(RuleCounts counts, Step step, @Nullable RuleVariants before, @Nullable ZoneId zone) {
		this.counts = counts;
		this.step = step;
		this.before = (before != null) ? before : this;
		this.zone = zone;
	}

	private RuleCounts after(Step next, RateLimitRule changed, @Nullable String plan, @Nullable ZoneId selected,
			RuleCounts[] candidates) {
		return this.counts.variant(changed, plan, candidates,
				(variant) -> new RuleVariants(variant, next, this, selected));
	}

	private RuleCounts[] candidates(UnaryOperator<RuleCounts> change) {
		return IntStream.range(0, this.counts.candidateCount())
			.mapToObj(this.counts::candidate)
			.map(change)
			.toArray(RuleCounts[]::new);
	}

	/** Return the variant before all later steps. */
	private RuleVariants upTo(Step last) {
		RuleVariants each = this;
		while (each.step.compareTo(last) > 0) {
			each = each.before;
		}
		return each;
	}

	public static RuleVariants of(RuleCounts counts) {
		return counts.variants();
	}

	/** Return the rule as it was prepared first, which all these are variants of. */
	public RuleCounts original() {
		return upTo(Step.NONE).counts;
	}

	/**
	 * Return the rule without what calls select.
	 * @return the rule with the numbers of the key; under a plan, the original one
	 */
	public RuleCounts own() {
		return isPlanned() ? original() : upTo(Step.KEY).counts;
	}

	/** Return the time zone that the call has selected, {@code null} if none. */
	public @Nullable ZoneId zone() {
		return this.zone;
	}

	/**
	 * Return whether calls come under a plan, or have numbers of their own.
	 * @return {@code false} for the numbers of the rule, also those of a key
	 */
	public boolean isPlanned() {
		return upTo(Step.PLAN).step == Step.PLAN;
	}

	/**
	 * Return this rule with other numbers. The latest variant is cached.
	 * @return the prepared variant, or this one if nothing has changed
	 */
	public RuleCounts with(RateLimitRule changed) {
		if (changed == this.counts.rule()) {
			return this.counts;
		}
		RuleCounts known = this.latest;
		if (known == null || known.rule() != changed) {
			known = RuleCounts.of(changed);
			this.latest = known;
		}
		return known;
	}

	/**
	 * Return this rule under one of its plans.
	 * @return the prepared variant, or {@code null} if there is no such plan
	 */
	public @Nullable RuleCounts under(String name) {
		RateLimitRule rule = original().rule();
		return rule.plans().containsKey(name) ? plan(name, name, () -> rule.underPlan(name)) : null;
	}

	/**
	 * Return this rule with the numbers of a single caller.
	 * @param numbers the {@linkplain io.github.ratelimit.LimitAttribute#NUMBERS numbers};
	 * all else is the rule's
	 * @param inForce completes and validates the rule with these numbers
	 * @return the prepared variant, the same object for equal numbers
	 * @throws RateLimitConfigurationException if the rule cannot have these numbers
	 */
	public RuleCounts under(Limit numbers, UnaryOperator<RateLimitRule> inForce) {
		return plan(numbers, null, () -> inForce.apply(original().rule().withNumbers(numbers)));
	}

	private RuleCounts plan(Object key, @Nullable String name, Supplier<RateLimitRule> planned) {
		RuleVariants original = upTo(Step.NONE);
		return original.planned.of(key, () -> original.after(Step.PLAN, planned.get(), name, null,
				original.candidates(UnaryOperator.identity())));
	}

	/**
	 * Return this rule under the plan of its schedule.
	 * @return the prepared variant, or this one if no plan holds, or if the call has
	 * selected one or has numbers of its own
	 */
	public RuleCounts scheduled(ZonedDateTime time) {
		ScheduledPlan entry = isPlanned() ? null : this.counts.rule().scheduledAt(time);
		RuleCounts variant = (entry != null) ? under(entry.plan()) : null;
		return (variant != null) ? variant.variants().inZone(this.zone) : this.counts;
	}

	/**
	 * Return this rule under the plan of an earlier version of it, and in its time zone.
	 * @return the prepared variant, with its own numbers if the plan is gone
	 */
	public RuleCounts underPlanOf(RuleCounts earlier) {
		RuleVariants other = earlier.variants();
		RuleCounts planned = !other.isPlanned() ? null : (earlier.plan() != null) ? under(earlier.plan())
				: underNumbersOf(other.upTo(Step.PLAN).counts.rule());
		return ((planned != null) ? planned : original()).variants().inZone(other.zone);
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
	 * Return this rule with the numbers of one key. Candidates, which are numbers of the
	 * rule, do not decide its calls. Callers cache the result.
	 * @param changed the rule with these numbers, without a zone of a call
	 * @return a newly prepared variant
	 */
	public RuleCounts withNumbers(RateLimitRule changed) {
		return after(Step.KEY, changed, this.counts.plan(), null, RuleCounts.NO_CANDIDATES);
	}

	/**
	 * Return this rule as it decides calls of a class.
	 * @param priority the class that the call names, {@code null} for none
	 * @return the prepared variant, or this one if calls of the class leave nothing free
	 */
	public RuleCounts below(@Nullable String priority) {
		String ofClass = this.counts.rule().classOf(priority);
		RuleVariants without = upTo(Step.CLASS);
		return (ofClass == null) ? this.counts
				: without.called.of(ofClass, () -> without.prepareClass(ofClass)).variants().inZone(this.zone);
	}

	private RuleCounts prepareClass(String ofClass) {
		RateLimitRule changed = this.counts.rule().below(ofClass);
		return (changed == this.counts.rule()) ? this.counts : after(Step.CLASS, changed, this.counts.plan(), null,
				candidates((each) -> each.variants().below(ofClass)));
	}

	/**
	 * Return the rule as it decides calls that leave nothing free, this one if it does.
	 */
	public RuleCounts withoutClass() {
		return upTo(Step.KEY).inZone(this.zone);
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
		RuleVariants without = upTo(Step.CLASS);
		RateLimitRule rule = without.counts.rule();
		return (selected == null || rule.zone() == null) ? without.counts
				: without.called.of(selected, () -> without.after(Step.ZONE, rule.inZone(selected), this.counts.plan(),
						selected, without.candidates((each) -> each.variants().inZone(selected))));
	}

	/**
	 * What makes a rule a variant of another one, in the order in which variants are made
	 * of variants.
	 */
	private enum Step {

		NONE, PLAN, KEY, CLASS, ZONE

	}

	/**
	 * Variants of a prepared rule that are prepared when they are first met. Equal
	 * numbers share one. The latest ones are kept, up to a bound, twice as many at most.
	 */
	private static final class RecentVariants {

		private final int most;

		private volatile Map<Object, RuleCounts> recent = new ConcurrentHashMap<>();

		private volatile Map<Object, RuleCounts> older = Map.of();

		RecentVariants(int most) {
			this.most = most;
		}

		RuleCounts of(Object key, Supplier<RuleCounts> prepare) {
			RuleCounts known = this.recent.get(key);
			return (known != null) ? known : find(key, prepare);
		}

		private synchronized RuleCounts find(Object key, Supplier<RuleCounts> prepare) {
			RuleCounts known = this.recent.get(key);
			if (known != null) {
				return known;
			}
			RuleCounts earlier = this.older.get(key);
			RuleCounts variant = (earlier != null) ? earlier : prepare.get();
			if (this.recent.size() >= this.most) {
				this.older = this.recent;
				this.recent = new ConcurrentHashMap<>();
			}
			this.recent.put(key, variant);
			return variant;
		}

	}

}
