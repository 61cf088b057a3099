package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
public final class RateLimitRule {

	/** Class of calls that come before all others. */
	private static final String HIGH = "high";

	/** Class of calls that name none. */
	private static final String OTHER = "other";

	/** Attributes that candidates do not have. */
	private static final List<RuleAttribute<?>> OF_RULES_ALONE = List.of(RuleAttribute.BAN, RuleAttribute.ALLOW,
			RuleAttribute.DENY, RuleAttribute.PLAN, RuleAttribute.PLANS, RuleAttribute.SCHEDULE,
			RuleAttribute.PLAN_OF_ANNOTATION, RuleAttribute.IS_UNDER_PLAN);

	private final String name;

	private final List<Limit> limits;

	/** Values that are set, by the indexes of their attributes. */
	private final @Nullable Object[] values;

	private final KeyLists lists;

	private final boolean adaptive;

	private RateLimitRule(Builder builder, List<Limit> limits) {
		this.name = builder.name;
		this.limits = List.copyOf(limits);
		this.values = builder.attributes.clone();
		this.lists = KeyLists.of(valueOf(RuleAttribute.ALLOW), valueOf(RuleAttribute.DENY));
		this.adaptive = this.limits.stream().anyMatch((limit) -> limit.adaptive() != null);
		if (!plans().isEmpty() && !valueOf(RuleAttribute.IS_UNDER_PLAN)) {
			RuleAttribute.PLANS.put(this.values, Plans.over(this.limits, plans()));
		}
	}

	private <T> T valueOf(RuleAttribute<T> attribute) {
		return attribute.orDefaultIn(this.values);
	}

	/**
	 * {@return a builder of a rule}
	 * @param name lower case letters, digits and hyphens, 100 at most
	 * @throws RateLimitConfigurationException if the name is not of that form
	 */
	public static Builder named(String name) {
		RuleAttribute.checkName("name", name, "the name of a rule becomes part of Redis keys, headers and metric tags.",
				"reply");
		return new Builder(name, RuleAttribute.noValues());
	}

	/**
	 * {@return the name of this rule}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * {@return the value of an attribute, {@code null} if it is not set or the same as by
	 * default}
	 * @param <T> the type of its values
	 * @param attribute the attribute
	 */
	public <T> @Nullable T get(RuleAttribute<T> attribute) {
		return attribute.in(this.values);
	}

	/**
	 * {@return at least one limit, in declared order; all of them have to hold}
	 */
	public List<Limit> limits() {
		return this.limits;
	}

	/**
	 * {@return the SpEL expression for the keys of annotated methods, requests and
	 * routes, {@code null} to leave it to the annotation} A {@link RateLimiter} is given
	 * keys and ignores it.
	 */
	public @Nullable String key() {
		return get(RuleAttribute.KEY);
	}

	/**
	 * {@return the policy for calls that the store cannot answer, {@code null} for
	 * {@code ratelimit.defaults.on-store-failure}}
	 */
	public @Nullable OnStoreFailure onStoreFailure() {
		return get(RuleAttribute.ON_STORE_FAILURE);
	}

	/**
	 * {@return the effect that decisions of this rule have on calls, {@code null} for
	 * {@code ratelimit.defaults.mode}; never {@code null} in a registered rule}
	 */
	public @Nullable Mode mode() {
		return get(RuleAttribute.MODE);
	}

	/**
	 * {@return the longest time that a call may wait instead of being denied,
	 * {@link Duration#ZERO} to deny at once}
	 */
	public Duration maxWait() {
		return valueOf(RuleAttribute.MAX_WAIT);
	}

	/**
	 * {@return how long an instance may hold units that it has fetched from Redis ahead
	 * of its calls, {@code null} if every call is decided by Redis}
	 */
	public @Nullable Duration prefetch() {
		return get(RuleAttribute.PREFETCH);
	}

	/**
	 * {@return the SpEL expression for the plans of annotated methods, requests and
	 * routes, {@code null} to leave it to the annotation} A {@link RateLimiter} ignores
	 * it.
	 */
	public @Nullable String plan() {
		return get(RuleAttribute.PLAN);
	}

	/**
	 * {@return the SpEL expression that selects the time zone of each call, for all
	 * limits by a calendar that have it, {@code null} if no zone depends on the call}
	 * @see LimitCalendar#zoneExpression()
	 */
	public @Nullable String zone() {
		for (Limit limit : this.limits) {
			LimitCalendar calendar = limit.calendar();
			if (calendar != null && calendar.zoneExpression() != null) {
				return calendar.zoneExpression();
			}
		}
		return null;
	}

	/**
	 * {@return the limits of calls under each plan, by its name, in declared order} A
	 * plan has as many limits as the rule, in the same order, with other numbers and the
	 * same counters.
	 */
	public Map<String, List<Limit>> plans() {
		return valueOf(RuleAttribute.PLANS);
	}

	/**
	 * {@return the schedule of calls that select no plan: its plans in declared order,
	 * empty if time selects none} The first of them that holds at the time of a call, by
	 * the clock of the store, applies to it.
	 */
	public List<ScheduledPlan> schedule() {
		return valueOf(RuleAttribute.SCHEDULE);
	}

	/**
	 * {@return the first entry of the schedule that holds at some time, {@code null} if
	 * none does}
	 * @param time the time, in any zone
	 */
	public @Nullable ScheduledPlan scheduledAt(ZonedDateTime time) {
		for (ScheduledPlan each : schedule()) {
			if (each.holdsAt(time)) {
				return each;
			}
		}
		return null;
	}

	/**
	 * {@return whether calls may come under different plans: there is a plan, or an
	 * expression that selects one}
	 */
	public boolean hasPlans() {
		return plan() != null || valueOf(RuleAttribute.PLAN_OF_ANNOTATION) || !plans().isEmpty();
	}

	/**
	 * {@return the SpEL expression that decides when a call ends whether its units are
	 * refunded, {@code null} to leave it to the annotation} A {@link RateLimiter} ignores
	 * it.
	 */
	public @Nullable String unless() {
		return get(RuleAttribute.UNLESS);
	}

	/**
	 * {@return the SpEL expression of the units that a call has used when it ends,
	 * {@code null} to leave it to the annotation} A {@link RateLimiter} ignores it.
	 */
	public @Nullable String settle() {
		return get(RuleAttribute.SETTLE);
	}

	/**
	 * {@return whether calls may settle their units when they end: this rule or an
	 * annotation of it has {@link #unless()} or {@link #settle()}}
	 */
	public boolean maySettle() {
		return unless() != null || valueOf(RuleAttribute.UNLESS_OF_ANNOTATION) || usedUnits() != null;
	}

	/** Return the expression of the used units, of any source. */
	@Nullable String usedUnits() {
		return (settle() != null) ? settle() : get(RuleAttribute.SETTLE_OF_ANNOTATION);
	}

	/**
	 * {@return the SpEL expression for the classes of calls of annotated methods and URL
	 * rules, {@code null} to leave it to the annotation} A {@link RateLimiter} ignores
	 * it.
	 */
	public @Nullable String priority() {
		return get(RuleAttribute.PRIORITY);
	}

	/**
	 * {@return what calls of each class leave free, by the name of the class, in declared
	 * order; empty if there are no classes} A call of a class is admitted if one of its
	 * cost and this headroom together would be, and takes its cost. Calls that name none
	 * of the classes belong to {@code other}. Like {@code high}, this class leaves
	 * nothing free unless it is among them.
	 */
	public Map<String, Headroom> headroom() {
		return valueOf(RuleAttribute.HEADROOM);
	}

	/**
	 * {@return the class by which a call is decided: the one that it names if this rule
	 * has a headroom for it or it is {@code high}, {@code other} if not, or {@code null}
	 * if this rule has no classes}
	 * @param priority the class that the call names, in any case, {@code null} for none
	 */
	public @Nullable String classOf(@Nullable String priority) {
		if (headroom().isEmpty()) {
			return null;
		}
		String named = (priority != null) ? priority.strip().toLowerCase(Locale.ROOT) : OTHER;
		return (headroom().containsKey(named) || named.equals(HIGH)) ? named : OTHER;
	}

	/**
	 * {@return this rule as it decides calls of a class: a copy without classes, in which
	 * the capacity of each limit is smaller by the headroom of the class, or this rule if
	 * calls of the class leave nothing free}
	 * @param priority the class that the call names, {@code null} for none
	 */
	public RateLimitRule below(@Nullable String priority) {
		String ofClass = classOf(priority);
		Headroom free = (ofClass != null) ? headroom().get(ofClass) : null;
		if (free == null) {
			return this;
		}
		return underPlan(limits().stream().map((limit) -> limit.below(free.of(limit.capacity()))).toList())
			.set(RuleAttribute.PRIORITY, null)
			.set(RuleAttribute.HEADROOM, null)
			.create();
	}

	/**
	 * {@return when keys are banned that are denied again and again, {@code null} if no
	 * key is banned}
	 */
	public @Nullable Ban ban() {
		return get(RuleAttribute.BAN);
	}

	/**
	 * {@return the keys that this rule does not count: they always pass, or never do;
	 * {@link KeyLists#NONE} if there are none}
	 */
	public KeyLists lists() {
		return this.lists;
	}

	/**
	 * {@return the limits that are tried beside those of this rule, by the name of the
	 * candidate, in declared order; as many as this rule has, in the same order} A
	 * candidate decides each call that is offered to the rule, and changes none.
	 */
	public Map<String, List<Limit>> candidates() {
		return valueOf(RuleAttribute.CANDIDATES);
	}

	/**
	 * {@return this rule with the limits of one of its candidates, as it would decide
	 * calls by itself: a copy without candidates, plans, lists and bans}
	 * @param candidate the name of the candidate
	 * @throws IllegalArgumentException if there is no such candidate
	 */
	public RateLimitRule ofCandidate(String candidate) {
		List<Limit> ofCandidate = candidates().get(candidate);
		if (ofCandidate == null) {
			throw new IllegalArgumentException("Rule \"" + name() + "\" has no candidate \"" + candidate + '"');
		}
		Builder changed = variant(ofCandidate);
		OF_RULES_ALONE.forEach((attribute) -> changed.set(attribute, null));
		return changed.create();
	}

	/**
	 * {@return a copy with other candidates}
	 * @param changed the limits by the name of the candidate; what they leave out is the
	 * rule's
	 * @throws RateLimitConfigurationException if a candidate does not fit
	 */
	public RateLimitRule withCandidates(Map<String, List<Limit>> changed) {
		return copy(limits()).set(RuleAttribute.CANDIDATES, Candidates.over(limits(), changed)).createWithHeadroom();
	}

	/**
	 * {@return whether one of the limits is {@linkplain Limit#adaptive() adaptive}}
	 */
	public boolean isAdaptive() {
		return this.adaptive;
	}

	/**
	 * {@return the name of a limit in decisions, headers and messages: that of the rule,
	 * followed by a hyphen and the limit's own name if there are several; {@code sms} or
	 * {@code sms-minute} for example}
	 * @param limit a limit of this rule
	 */
	public String nameOf(Limit limit) {
		return (this.limits.size() == 1) ? this.name : this.name + '-' + limit.name();
	}

	/**
	 * {@return the name of the ban in decisions and messages: that of the rule, followed
	 * by {@code -ban}}
	 */
	public String nameOfBan() {
		return this.name + "-ban";
	}

	/**
	 * {@return a copy with an algorithm in the place of {@link Algorithm#DEFAULT}, or
	 * this rule if every limit has its algorithm}
	 * @param algorithm the default algorithm
	 */
	public RateLimitRule withDefault(Algorithm algorithm) {
		List<Limit> changed = new ArrayList<>();
		for (Limit limit : this.limits) {
			changed.add((limit.algorithm() == Algorithm.DEFAULT) ? limit.withAlgorithm(algorithm) : limit);
		}
		if (changed.equals(this.limits)) {
			return this;
		}
		return copy(changed).completeCandidates(changed).create();
	}

	/**
	 * {@return a copy with a mode, or this rule if it has one}
	 * @param defaultMode the default mode
	 */
	public RateLimitRule withDefault(Mode defaultMode) {
		return (mode() != null) ? this : copy(limits()).mode(defaultMode).create();
	}

	/**
	 * {@return a copy with another mode}
	 * @param changed the mode
	 */
	public RateLimitRule withMode(Mode changed) {
		return copy(limits()).mode(changed).create();
	}

	/**
	 * {@return a copy with other limits, whose plans keep their numbers}
	 * @param changed at least one limit
	 * @throws RateLimitConfigurationException if they are not valid, or do not fit the
	 * plans
	 */
	public RateLimitRule withLimits(List<Limit> changed) {
		return copy(changed).create();
	}

	/**
	 * {@return a copy with each of the limits changed, under each plan too}
	 * @param change changes a limit of this rule, or that of a plan in its place
	 * @throws RateLimitConfigurationException if a changed limit is not valid
	 */
	public RateLimitRule withEachLimit(UnaryOperator<Limit> change) {
		Builder changed = copy(limits().stream().map(change).toList());
		plans().forEach((name, limits) -> changed.plan(name, limits.stream().map(change).toList()));
		return changed.createWithHeadroom();
	}

	/**
	 * {@return a copy that {@linkplain #hasPlans() has plans} by annotations}
	 */
	public RateLimitRule withPlans() {
		return copy(limits()).set(RuleAttribute.PLAN_OF_ANNOTATION, true).create();
	}

	/**
	 * {@return a copy that {@linkplain #maySettle() may settle} the units of calls by the
	 * expressions of an annotation or of requests, if there is one of both}
	 * @param unless the {@link #unless()} of an annotation or of requests, if there is
	 * one
	 * @param settle the {@link #settle()} of an annotation, if it has one
	 * @throws InvalidAttributeException if a limit cannot count what a call owes, or all
	 * limits have slots, which calls free however they end
	 */
	public RateLimitRule withSettling(@Nullable String unless, @Nullable String settle) {
		RuleChecks.checkUnless(limits(), unless);
		return withSettling(unless != null, settle);
	}

	/**
	 * {@return a copy that {@linkplain #maySettle() may settle} the units of calls of
	 * annotated methods}
	 * @param unless whether an annotation has an {@link #unless()}
	 * @param settle the {@link #settle()} of an annotation, if it has one
	 * @throws InvalidAttributeException if a limit cannot count what a call owes
	 */
	public RateLimitRule withSettling(boolean unless, @Nullable String settle) {
		return copy(limits())
			.set(RuleAttribute.UNLESS_OF_ANNOTATION, unless || valueOf(RuleAttribute.UNLESS_OF_ANNOTATION))
			.set(RuleAttribute.SETTLE_OF_ANNOTATION,
					(settle != null) ? settle : get(RuleAttribute.SETTLE_OF_ANNOTATION))
			.create();
	}

	/**
	 * {@return this rule as it counts calls under one of its plans: a copy with the
	 * numbers of the plan and the same plans, without a schedule}
	 * @param plan the name of the plan
	 * @throws IllegalArgumentException if there is no such plan
	 */
	public RateLimitRule underPlan(String plan) {
		List<Limit> limits = plans().get(plan);
		if (limits == null) {
			throw new IllegalArgumentException("Rule \"" + name() + "\" has no plan \"" + plan + '"');
		}
		return underPlan(limits).create();
	}

	/** Begin a copy that has the numbers of a plan at any time. */
	private Builder underPlan(List<Limit> limits) {
		return variant(limits).set(RuleAttribute.IS_UNDER_PLAN, true).set(RuleAttribute.SCHEDULE, null);
	}

	/**
	 * {@return this rule as it counts calls in a time zone, itself if no zone depends on
	 * the call}
	 * @param zone the zone that {@link #zone()} selects
	 */
	public RateLimitRule inZone(ZoneId zone) {
		return (zone() == null) ? this : variant(limits().stream().map((limit) -> {
			LimitCalendar calendar = limit.calendar();
			return (calendar != null && calendar.zoneExpression() != null) ? limit.withZone(zone) : limit;
		}).toList()).create();
	}

	/**
	 * {@return a copy with other numbers of the only limit, as a plan of a single caller
	 * has them}
	 * @param numbers the {@code max}, {@code period} and {@code burst} to have; all else
	 * stays as it is
	 * @throws RateLimitConfigurationException if the limit cannot have these numbers, or
	 * there are several limits
	 */
	public RateLimitRule withNumbers(Limit numbers) {
		Plans.checkNumbers(numbers, limits(), name());
		Limit.Builder changed = limits().get(0).toBuilder();
		for (LimitAttribute<?> number : LimitAttribute.NUMBERS) {
			changed.putSaid(number, numbers);
		}
		return underPlan(List.of(changed.max(numbers.max()).build())).create();
	}

	/** Begin a copy for some calls, which does not try candidates. */
	private Builder variant(List<Limit> changed) {
		return copy(changed).set(RuleAttribute.CANDIDATES, null);
	}

	private Builder copy(List<Limit> changed) {
		Builder builder = new Builder(name(), this.values.clone());
		builder.limits.addAll(changed);
		return builder;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RateLimitRule that && this.name.equals(that.name) && this.limits.equals(that.limits)
				&& Arrays.equals(this.values, that.values);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.limits, Arrays.hashCode(this.values));
	}

	@Override
	public String toString() {
		return this.name + ' ' + this.limits;
	}

	/**
	 * Collects the values of a rule. Settings of limits, {@link #algorithm} or
	 * {@link #burst} for example, hold for those limits of the rule that do not have
	 * them.
	 */
	public static final class Builder extends Limit.Settings<Builder> {

		private final String name;

		private final List<Limit> limits = new ArrayList<>();

		private final @Nullable Object[] attributes;

		private Builder(String name, @Nullable Object[] attributes) {
			this.name = name;
			this.attributes = attributes;
		}

		@Override
		Builder self() {
			return this;
		}

		/**
		 * Set an attribute.
		 * @param <T> the type of its values
		 * @param attribute the attribute
		 * @param value its value, or {@code null} for the default
		 * @return this builder
		 * @throws InvalidAttributeException if the value is invalid
		 */
		public <T> Builder set(RuleAttribute<T> attribute, @Nullable T value) {
			attribute.put(this.attributes, value);
			return this;
		}

		private <V> Builder add(RuleAttribute<Map<String, V>> attribute, String name, V value) {
			Map<String, V> changed = new LinkedHashMap<>(attribute.orDefaultIn(this.attributes));
			changed.put(name, value);
			return set(attribute, changed);
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
		 * Set the time that a call may wait instead of being denied.
		 * @param maxWait the longest wait, {@link Duration#ZERO} to deny at once
		 * @return this builder
		 * @throws InvalidAttributeException if it is negative or longer than
		 * {@link Limit#MAX_PERIOD}
		 */
		public Builder maxWait(Duration maxWait) {
			return set(RuleAttribute.MAX_WAIT, maxWait);
		}

		/**
		 * Let instances hold units for a short time. An instance whose calls for a key
		 * come faster than its round trips to Redis fetches several units at once,
		 * decides by itself while they last, and refunds the rest when the time is over.
		 * The limits stay exact: units are counted as of the end of that time. As a limit
		 * is approached, fewer units are held, and the last ones are decided call by
		 * call; while others hold units, a call may be denied this much too early. Stores
		 * inside the process ignore it.
		 * @param prefetch the time that units may be held, from 1 ms to 1 s, 20 ms for
		 * example; {@code null} to send every call to Redis
		 * @return this builder
		 * @throws InvalidAttributeException if it is shorter or longer
		 */
		public Builder prefetch(@Nullable Duration prefetch) {
			return set(RuleAttribute.PREFETCH, prefetch);
		}

		/**
		 * Ban keys that are denied again and again, in all instances at once. A call
		 * counts as a denial if a limit of this rule denies it. Decisions name the ban
		 * beside the limits that denied: {@code login-ban}.
		 * @param ban the ban, {@code new Ban(20, Duration.ofMinutes(10),
		 * Duration.ofHours(1))} for example, or {@code null} to ban no key
		 * @return this builder
		 */
		public Builder ban(@Nullable Ban ban) {
			return set(RuleAttribute.BAN, ban);
		}

		/**
		 * Set the keys that always pass and are not counted.
		 * @param keys the keys; a network such as {@code 10.0.0.0/8} stands for all keys
		 * that are an address in it
		 * @return this builder
		 */
		public Builder allow(String... keys) {
			return set(RuleAttribute.ALLOW, List.of(keys));
		}

		/**
		 * Set the keys that never pass.
		 * @param keys the keys; a network such as {@code 10.0.0.0/8} stands for all keys
		 * that are an address in it
		 * @return this builder
		 */
		public Builder deny(String... keys) {
			return set(RuleAttribute.DENY, List.of(keys));
		}

		/**
		 * Set the SpEL expression for the keys of annotated methods, requests and routes.
		 * @param key the expression, or {@code null} to leave it to the annotation
		 * @return this builder
		 */
		public Builder key(@Nullable String key) {
			return set(RuleAttribute.KEY, key);
		}

		/**
		 * Set the policy for calls that the store cannot answer.
		 * @param onStoreFailure the policy, or {@code null} for the default
		 * @return this builder
		 */
		public Builder onStoreFailure(@Nullable OnStoreFailure onStoreFailure) {
			return set(RuleAttribute.ON_STORE_FAILURE, onStoreFailure);
		}

		/**
		 * Set the effect that decisions of the rule have on calls.
		 * @param mode the mode, or {@code null} for the default
		 * @return this builder
		 */
		public Builder mode(@Nullable Mode mode) {
			return set(RuleAttribute.MODE, mode);
		}

		/**
		 * Set the SpEL expression for the plans of annotated methods, requests and
		 * routes.
		 * @param expression the expression; its value is the name of a plan, or a
		 * {@link Limit} if the rule has one limit, or {@code null} for the rule's own
		 * numbers; {@code null} to leave it to the annotation
		 * @return this builder
		 */
		public Builder plan(@Nullable String expression) {
			return set(RuleAttribute.PLAN, expression);
		}

		/**
		 * Set the SpEL expression that decides, when a call of an annotated method or a
		 * request ends, whether its units are refunded.
		 * @param expression the expression over the outcome of the call,
		 * {@code "#error ==
		 * null"} to count failed calls only, or {@code null} to leave it to the
		 * annotation
		 * @return this builder
		 */
		public Builder unless(@Nullable String expression) {
			return set(RuleAttribute.UNLESS, expression);
		}

		/**
		 * Set the SpEL expression of the units that a call of an annotated method or a
		 * request has used when it ends. Its cost is then an estimate: unused units are
		 * refunded, and units beyond the estimate are owed.
		 * @param expression the expression over the outcome of the call,
		 * {@code "#result.tokens"} for example, or {@code null} to leave it to the
		 * annotation
		 * @return this builder
		 */
		public Builder settle(@Nullable String expression) {
			return set(RuleAttribute.SETTLE, expression);
		}

		/**
		 * Set the SpEL expression for the classes of calls of annotated methods, requests
		 * and routes.
		 * @param expression the expression, {@code "header('X-Priority')"} for example,
		 * or {@code null} to leave it to the annotation
		 * @return this builder
		 */
		public Builder priority(@Nullable String expression) {
			return set(RuleAttribute.PRIORITY, expression);
		}

		/**
		 * Let calls of a class leave a part of the capacity of each limit free, so that
		 * they are denied first.
		 * @param priority the name of the class, lower case letters, digits and hyphens;
		 * {@code other} for calls that name no class of this rule. Calls that name
		 * {@code high} leave nothing free unless it is set for them.
		 * @param headroom what stays free, {@code Headroom.ofPercent(30)} for example
		 * @return this builder
		 */
		public Builder headroom(String priority, Headroom headroom) {
			Objects.requireNonNull(priority, () -> "The class of calls of rule \"" + this.name + "\" must not be null");
			Objects.requireNonNull(headroom, () -> "The headroom of \"" + priority + "\" of rule \"" + this.name
					+ "\" must not be null; for nothing, use Headroom.ofUnits(0)");
			return add(RuleAttribute.HEADROOM, priority, headroom);
		}

		/**
		 * Add a plan of a rule with one limit: other numbers for some callers, who are
		 * counted like all others.
		 * @param name lower case letters, digits and hyphens, 100 at most
		 * @param limit the {@code max} and {@code period} of the plan, and its
		 * {@code burst} if it is not the rule's; all else is the rule's
		 * @return this builder
		 */
		public Builder plan(String name, Limit limit) {
			return plan(name, List.of(limit));
		}

		/**
		 * Add a plan of a rule with several limits.
		 * @param name lower case letters, digits and hyphens, 100 at most
		 * @param limits other numbers for limits of the rule, each with the name of one;
		 * the other limits stay as they are
		 * @return this builder
		 */
		public Builder plan(String name, List<Limit> limits) {
			return add(RuleAttribute.PLANS, name, List.copyOf(limits));
		}

		/**
		 * Try a limit beside the one of the rule. It decides each call that is offered to
		 * the rule and counts by itself; its decisions change nothing but its figures.
		 * @param name lower case letters, digits and hyphens, 100 at most
		 * @param limit the limit; what it leaves out is the rule's
		 * @return this builder
		 */
		public Builder candidate(String name, Limit limit) {
			return candidate(name, List.of(limit));
		}

		/**
		 * Try other limits beside the several limits of the rule.
		 * @param name lower case letters, digits and hyphens, 100 at most
		 * @param limits other limits, each with the name of one of the rule; the other
		 * limits stay as they are
		 * @return this builder
		 */
		public Builder candidate(String name, List<Limit> limits) {
			return add(RuleAttribute.CANDIDATES, name, List.copyOf(limits));
		}

		/**
		 * Let the time select the plan of calls that select none: the first one that
		 * holds.
		 * @param schedule plans of this rule in order, instead of earlier ones
		 * @return this builder
		 */
		public Builder schedule(ScheduledPlan... schedule) {
			return set(RuleAttribute.SCHEDULE, List.of(schedule));
		}

		/**
		 * {@return the rule of these values}
		 * @throws RateLimitConfigurationException if there is no limit, or several limits
		 * without different names, or a value without effect, or a plan that does not fit
		 */
		public RateLimitRule build() {
			RuleChecks.checkLimits(this.name, this.limits);
			Map<String, List<Limit>> plans = RuleAttribute.PLANS.orDefaultIn(this.attributes);
			List<ScheduledPlan> schedule = RuleAttribute.SCHEDULE.orDefaultIn(this.attributes);
			if (!plans.isEmpty() || !schedule.isEmpty()) {
				Plans.check(limits(), plans, schedule);
			}
			return completeCandidates(limits()).createWithHeadroom();
		}

		private RateLimitRule createWithHeadroom() {
			RateLimitRule rule = create();
			if (!rule.headroom().isEmpty() && !rule.valueOf(RuleAttribute.IS_UNDER_PLAN)) {
				RuleChecks.checkCapacity(rule);
			}
			return rule;
		}

		private Builder completeCandidates(List<Limit> own) {
			Map<String, List<Limit>> candidates = RuleAttribute.CANDIDATES.orDefaultIn(this.attributes);
			return candidates.isEmpty() ? this : set(RuleAttribute.CANDIDATES, Candidates.over(own, candidates));
		}

		private RateLimitRule create() {
			RuleChecks.checkLimits(this.name, this.limits);
			RateLimitRule rule = new RateLimitRule(this, limits());
			RuleChecks.check(rule);
			if (rule.ban() != null) {
				rule.ban().check(rule.limits(), rule.nameOfBan());
			}
			return rule;
		}

		private List<Limit> limits() {
			List<Limit> completed = new ArrayList<>();
			for (Limit limit : this.limits) {
				Limit.Builder each = limit.toBuilder();
				if (limit.calendar() != null && this.values[LimitAttribute.ALGORITHM.index()] != null) {
					each.put(LimitAttribute.ALGORITHM, null);
				}
				completed.add(each.completedBy(this).build());
			}
			return completed;
		}

	}

}
