package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A named policy: one or more limits that all have to hold. Immutable.
 *
 * <pre>
 * RateLimitRule.named("reply").limit(5, Duration.ofSeconds(60)).build()
 * RateLimitRule.named("search").limit(30, Duration.ofSeconds(60)).algorithm(Algorithm.TOKEN_BUCKET).burst(15).build()
 * RateLimitRule.named("api").limit(60, MINUTE).plan("pro", Limit.of(600, MINUTE)).build()
 * </pre>
 *
 * @since 0.1.0
 */
public final class RateLimitRule extends RuleValues {

	private RateLimitRule(Builder builder, List<Limit> limits) {
		super(builder, limits);
	}

	/**
	 * Begin a rule.
	 * @param name lower case letters, digits and hyphens, 100 at most
	 * @return a builder
	 * @throws RateLimitConfigurationException if the name is not of that form
	 */
	public static Builder named(String name) {
		RuleChecks.checkName(name);
		return new Builder(name);
	}

	/**
	 * Replace {@link Algorithm#DEFAULT} in all limits.
	 * @param algorithm the default algorithm
	 * @return a changed copy, or this rule if every limit has its algorithm
	 */
	public RateLimitRule withDefault(Algorithm algorithm) {
		if (limits().stream().noneMatch((limit) -> limit.algorithm() == Algorithm.DEFAULT)) {
			return this;
		}
		return withLimits(limits().stream()
			.map((limit) -> (limit.algorithm() == Algorithm.DEFAULT) ? limit.withAlgorithm(algorithm) : limit)
			.toList());
	}

	/**
	 * Set the mode of a rule that has none.
	 * @param defaultMode the default mode
	 * @return a changed copy, or this rule if it has a mode
	 */
	public RateLimitRule withDefault(Mode defaultMode) {
		return (mode() != null) ? this : copy(limits()).mode(defaultMode).create();
	}

	/**
	 * Change the mode.
	 * @param changed the mode
	 * @return a changed copy
	 */
	public RateLimitRule withMode(Mode changed) {
		return copy(limits()).mode(changed).create();
	}

	/**
	 * Change the limits. The plans keep their numbers.
	 * @param changed at least one limit
	 * @return a changed copy
	 * @throws RateLimitConfigurationException if they are not valid, or do not fit the
	 * plans
	 */
	public RateLimitRule withLimits(List<Limit> changed) {
		return copy(changed).create();
	}

	/**
	 * Change each of the limits, under each plan too.
	 * @param change changes a limit of this rule, or that of a plan in its place
	 * @return a changed copy
	 * @throws RateLimitConfigurationException if a changed limit is not valid
	 */
	public RateLimitRule withEachLimit(UnaryOperator<Limit> change) {
		Builder changed = copy(limits().stream().map(change).toList());
		changed.plans = changed.plans.map(change);
		return changed.create();
	}

	/**
	 * Let calls come under plans that annotations select.
	 * @return a changed copy that {@linkplain #hasPlans() has plans}
	 */
	public RateLimitRule withPlans() {
		Builder changed = copy(limits());
		changed.plans = changed.plans.withAnnotation();
		return changed.create();
	}

	/**
	 * Let calls settle their units by the expressions of an annotation or of requests.
	 * @param unless the {@link #unless()} of an annotation or of requests, if there is
	 * one
	 * @param settle the {@link #settle()} of an annotation, if it has one
	 * @return a changed copy that {@linkplain #maySettle() may settle} if there is one of
	 * both
	 * @throws InvalidAttributeException if a limit cannot count what a call owes, or all
	 * limits have slots, which calls free however they end
	 */
	public RateLimitRule withSettling(@Nullable String unless, @Nullable String settle) {
		RuleChecks.checkUnless(limits(), unless);
		return withSettling(unless != null, settle);
	}

	/**
	 * Let annotated methods settle the units of their calls.
	 * @param unless whether an annotation has an {@link #unless()}
	 * @param settle the {@link #settle()} of an annotation, if it has one
	 * @return a changed copy that {@linkplain #maySettle() may settle}
	 * @throws InvalidAttributeException if a limit cannot count what a call owes
	 */
	public RateLimitRule withSettling(boolean unless, @Nullable String settle) {
		Builder changed = copy(limits());
		changed.settling = settling().withAnnotation(unless, settle);
		return changed.create();
	}

	/**
	 * Return this rule as it counts calls under one of its plans.
	 * @param plan the name of the plan
	 * @return a changed copy with the numbers of the plan and the same plans
	 * @throws IllegalArgumentException if there is no such plan
	 */
	public RateLimitRule underPlan(String plan) {
		List<Limit> limits = plans().get(plan);
		if (limits == null) {
			throw new IllegalArgumentException("Rule \"" + name() + "\" has no plan \"" + plan + '"');
		}
		return underPlan(limits);
	}

	private RateLimitRule underPlan(List<Limit> limits) {
		Builder changed = copy(limits);
		changed.plans = changed.plans.completed();
		return changed.create();
	}

	/**
	 * Return this rule as it counts calls in a time zone.
	 * @param zone the zone that {@link #zone()} selects
	 * @return a changed copy, or this rule if no zone depends on the call
	 */
	public RateLimitRule inZone(ZoneId zone) {
		return (zone() == null) ? this : withLimits(limits().stream().map((limit) -> {
			LimitCalendar calendar = limit.calendar();
			return (calendar != null && calendar.zoneExpression() != null) ? limit.withZone(zone) : limit;
		}).toList());
	}

	/**
	 * Change the numbers of the only limit, as a plan of a single caller does.
	 * @param numbers the {@code max}, {@code period} and {@code burst} to have; all else
	 * stays as it is
	 * @return a changed copy
	 * @throws RateLimitConfigurationException if the limit cannot have these numbers, or
	 * there are several limits
	 */
	public RateLimitRule withNumbers(Limit numbers) {
		PlanChecks.checkNumbers(numbers, limits(), name());
		Limit.Builder changed = limits().get(0).toBuilder().max(numbers.max());
		changed.period = numbers.toBuilder().period;
		changed.burst = numbers.toBuilder().burst;
		return underPlan(List.of(changed.build()));
	}

	private Builder copy(List<Limit> changed) {
		Builder builder = named(name()).key(key())
			.onStoreFailure(onStoreFailure())
			.mode(mode())
			.maxWait(maxWait())
			.prefetch(prefetch())
			.ban(ban())
			.lists(lists());
		builder.plans = allPlans();
		builder.settling = settling();
		changed.forEach(builder::limit);
		return builder;
	}

	/**
	 * Collects the values of a rule. Settings of limits, {@link #algorithm} or
	 * {@link #burst} for example, hold for those limits of the rule that do not have
	 * them.
	 */
	public static final class Builder extends RuleSettings {

		final String name;

		private final List<Limit> limits = new ArrayList<>();

		private Builder(String name) {
			this.name = name;
		}

		@Override
		Builder self() {
			return this;
		}

		/**
		 * Add a limit.
		 * @param max the number of units
		 * @param period the time in which they are admitted
		 * @return this builder
		 */
		public Builder limit(long max, Duration period) {
			return limit(Limit.of(max, period));
		}

		/**
		 * Add a limit. Several limits need names.
		 * @param limit the limit
		 * @return this builder
		 */
		public Builder limit(Limit limit) {
			this.limits.add(limit);
			return this;
		}

		/**
		 * Build the rule.
		 * @return the rule
		 * @throws RateLimitConfigurationException if there is no limit, or several limits
		 * without different names, or a value without effect, or a plan that does not fit
		 */
		public RateLimitRule build() {
			RuleChecks.checkLimits(this.name, this.limits);
			this.plans.check(limits());
			return create();
		}

		private RateLimitRule create() {
			RuleChecks.checkLimits(this.name, this.limits);
			RateLimitRule rule = new RateLimitRule(this, limits());
			RuleChecks.checkZones(rule.limits());
			PrefetchChecks.check(rule.prefetch(), rule.limits());
			BanChecks.check(rule);
			RuleChecks.checkSlots(rule.limits(), rule.maxWait(), rule.prefetch(), rule.ban(), rule.unless());
			SettlingChecks.check(rule.settling().usedUnits(), rule.limits(), rule.prefetch());
			return rule;
		}

		private List<Limit> limits() {
			return this.limits.stream().map((limit) -> limit.toBuilder().completedBy(this).build()).toList();
		}

	}

}
