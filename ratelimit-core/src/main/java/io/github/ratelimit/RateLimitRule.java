package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
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

	/**
	 * Class of calls that come before all others.
	 */
	private static final String HIGH = "high";

	/**
	 * Class of calls that name none.
	 */
	private static final String OTHER = "other";

	private final String name;

	private final List<Limit> limits;

	private final @Nullable String key;

	private final @Nullable OnStoreFailure onStoreFailure;

	private final @Nullable Mode mode;

	private final Duration maxWait;

	private final @Nullable Duration prefetch;

	private final Plans plans;

	private final Settling settling;

	private final @Nullable String priority;

	private final Map<String, Headroom> headroom;

	private final @Nullable Ban ban;

	private final KeyLists lists;

	private final Map<String, List<Limit>> candidates;

	private final boolean adaptive;

	private RateLimitRule(Builder builder, List<Limit> limits) {
		this.name = builder.name;
		this.limits = List.copyOf(limits);
		this.key = builder.key;
		this.onStoreFailure = builder.onStoreFailure;
		this.mode = builder.mode;
		this.maxWait = builder.maxWait;
		this.prefetch = builder.prefetch;
		this.plans = builder.plans.over(this.limits);
		this.settling = builder.settling;
		this.priority = builder.priority;
		this.headroom = builder.headroom;
		this.ban = builder.ban;
		this.lists = builder.lists();
		this.candidates = builder.candidates;
		this.adaptive = this.limits.stream().anyMatch((limit) -> limit.adaptive() != null);
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
	 * Return the name of this rule.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the limits, all of which have to hold.
	 * @return at least one limit, in declared order
	 */
	public List<Limit> limits() {
		return this.limits;
	}

	/**
	 * Return the SpEL expression for the keys of annotated methods and URL rules. A
	 * {@link RateLimiter} is given keys and ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public @Nullable String key() {
		return this.key;
	}

	/**
	 * Return the policy for calls that the store cannot answer.
	 * @return the policy, or {@code null} for {@code ratelimit.defaults.on-store-failure}
	 */
	public @Nullable OnStoreFailure onStoreFailure() {
		return this.onStoreFailure;
	}

	/**
	 * Return the effect that decisions of this rule have on calls.
	 * @return the mode, or {@code null} for {@code ratelimit.defaults.mode}; never
	 * {@code null} in a registered rule
	 */
	public @Nullable Mode mode() {
		return this.mode;
	}

	/**
	 * Return the time that a call may wait instead of being denied.
	 * @return the longest wait, {@link Duration#ZERO} to deny at once
	 */
	public Duration maxWait() {
		return this.maxWait;
	}

	/**
	 * Return how long an instance may hold units that it has fetched from Redis ahead of
	 * its calls.
	 * @return the time, or {@code null} if every call is decided by Redis
	 */
	public @Nullable Duration prefetch() {
		return this.prefetch;
	}

	/**
	 * Return the SpEL expression for the plans of annotated methods and URL rules. A
	 * {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public @Nullable String plan() {
		return this.plans.expression();
	}

	/**
	 * Return the SpEL expression that selects the time zone of each call, for all limits
	 * by a calendar that have it.
	 * @return the expression, or {@code null} if no zone depends on the call
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
	 * Return the limits of calls under each plan. A plan has as many limits as the rule,
	 * in the same order, with other numbers and the same counters.
	 * @return the limits by the name of the plan, in declared order
	 */
	public Map<String, List<Limit>> plans() {
		return this.plans.limits();
	}

	/**
	 * Return the schedule of calls that select no plan. The first of its plans that holds
	 * at the time of a call, by the clock of the store, applies to it.
	 * @return the plans in declared order, empty if time selects none
	 */
	public List<ScheduledPlan> schedule() {
		return this.plans.schedule();
	}

	/**
	 * Return the entry of the schedule that holds at some time.
	 * @param time the time, in any zone
	 * @return the first such entry, or {@code null} if none holds
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
	 * Return whether calls may come under different plans.
	 * @return whether there is a plan, or an expression that selects one
	 */
	public boolean hasPlans() {
		return !this.plans.isEmpty();
	}

	/**
	 * Return the SpEL expression that decides when a call ends whether its units are
	 * refunded. A {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public @Nullable String unless() {
		return this.settling.unless();
	}

	/**
	 * Return the SpEL expression of the units that a call has used when it ends. A
	 * {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public @Nullable String settle() {
		return this.settling.settle();
	}

	/**
	 * Return whether calls may settle their units when they end.
	 * @return whether this rule or an annotation of it has {@link #unless()} or
	 * {@link #settle()}
	 */
	public boolean maySettle() {
		return this.settling.isPossible();
	}

	/**
	 * Return the SpEL expression for the classes of calls of annotated methods and URL
	 * rules. A {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public @Nullable String priority() {
		return this.priority;
	}

	/**
	 * Return what calls of each class leave free. A call of a class is admitted if one of
	 * its cost and this headroom together would be, and takes its cost.
	 * @return the headroom by the name of the class, in declared order; empty if there
	 * are no classes. Calls that name none of them belong to {@code other}. Like
	 * {@code high}, this class leaves nothing free unless it is among them.
	 */
	public Map<String, Headroom> headroom() {
		return this.headroom;
	}

	/**
	 * Return the class by which a call is decided.
	 * @param priority the class that the call names, in any case, {@code null} for none
	 * @return its name if this rule has a headroom for it or it is {@code high},
	 * {@code other} if not, or {@code null} if this rule has no classes
	 */
	public @Nullable String classOf(@Nullable String priority) {
		if (this.headroom.isEmpty()) {
			return null;
		}
		String named = (priority != null) ? priority.strip().toLowerCase(Locale.ROOT) : OTHER;
		return (this.headroom.containsKey(named) || named.equals(HIGH)) ? named : OTHER;
	}

	/**
	 * Return this rule as it decides calls of a class: the capacity of each limit is
	 * smaller by the headroom of the class.
	 * @param priority the class that the call names, {@code null} for none
	 * @return a changed copy without classes, or this rule if calls of the class leave
	 * nothing free
	 */
	public RateLimitRule below(@Nullable String priority) {
		String ofClass = classOf(priority);
		Headroom free = (ofClass != null) ? this.headroom.get(ofClass) : null;
		if (free == null) {
			return this;
		}
		Builder changed = variant(limits().stream().map((limit) -> limit.below(free.of(limit.capacity()))).toList());
		changed.plans = changed.plans.completed();
		changed.priority = null;
		changed.headroom = Map.of();
		return changed.create();
	}

	/**
	 * Return when keys are banned that are denied again and again.
	 * @return the ban, or {@code null} if no key is banned
	 */
	public @Nullable Ban ban() {
		return this.ban;
	}

	/**
	 * Return the keys that this rule does not count: they always pass, or never do.
	 * @return the lists, {@link KeyLists#NONE} if there are none
	 */
	public KeyLists lists() {
		return this.lists;
	}

	/**
	 * Return the limits that are tried beside those of this rule. A candidate decides
	 * each call that is offered to the rule, and changes none.
	 * @return the limits by the name of the candidate, in declared order; as many as this
	 * rule has, in the same order
	 */
	public Map<String, List<Limit>> candidates() {
		return this.candidates;
	}

	/**
	 * Return this rule with the limits of one of its candidates, as it would decide calls
	 * by itself.
	 * @param candidate the name of the candidate
	 * @return a changed copy without candidates, plans, lists and bans
	 * @throws IllegalArgumentException if there is no such candidate
	 */
	public RateLimitRule ofCandidate(String candidate) {
		List<Limit> ofCandidate = this.candidates.get(candidate);
		if (ofCandidate == null) {
			throw new IllegalArgumentException("Rule \"" + name() + "\" has no candidate \"" + candidate + '"');
		}
		Builder changed = variant(ofCandidate).ban(null).lists(KeyLists.NONE);
		changed.plans = Plans.NONE;
		return changed.create();
	}

	private void checkCandidate(String candidate) {
		try {
			ofCandidate(candidate);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at("candidates." + candidate + '.' + ex.location());
		}
	}

	/**
	 * Return this rule with other candidates.
	 * @param changed the limits by the name of the candidate; what they leave out is the
	 * rule's
	 * @return a changed copy
	 * @throws RateLimitConfigurationException if a candidate does not fit
	 */
	public RateLimitRule withCandidates(Map<String, List<Limit>> changed) {
		changed.keySet().forEach(RuleChecks::checkCandidate);
		Builder builder = copy(limits());
		builder.candidates = Candidates.over(limits(), changed);
		return builder.create();
	}

	/**
	 * Return whether one of the limits follows the load.
	 * @return whether there is an {@link Limit#adaptive() adaptive} limit
	 */
	public boolean isAdaptive() {
		return this.adaptive;
	}

	/**
	 * Return the name of a limit in decisions, headers and messages: that of the rule,
	 * followed by a hyphen and the limit's own name if there are several.
	 * @param limit a limit of this rule
	 * @return {@code sms} or {@code sms-minute} for example
	 */
	public String nameOf(Limit limit) {
		return (this.limits.size() == 1) ? this.name : this.name + '-' + limit.name();
	}

	/**
	 * Return the name of the ban in decisions and messages: that of the rule, followed by
	 * {@code -ban}.
	 * @return {@code login-ban} for example
	 */
	public String nameOfBan() {
		return this.name + "-ban";
	}

	/**
	 * Replace {@link Algorithm#DEFAULT} in all limits.
	 * @param algorithm the default algorithm
	 * @return a changed copy, or this rule if every limit has its algorithm
	 */
	public RateLimitRule withDefault(Algorithm algorithm) {
		List<Limit> changed = new ArrayList<>();
		for (Limit limit : this.limits) {
			changed.add((limit.algorithm() == Algorithm.DEFAULT) ? limit.withAlgorithm(algorithm) : limit);
		}
		if (changed.equals(this.limits)) {
			return this;
		}
		Builder completed = copy(changed);
		if (!this.candidates.isEmpty()) {
			completed.candidates = Candidates.over(changed, this.candidates);
		}
		return completed.create();
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
		changed.settling = this.settling.withAnnotation(unless, settle);
		return changed.create();
	}

	/**
	 * Return this rule as it counts calls under one of its plans.
	 * @param plan the name of the plan
	 * @return a changed copy with the numbers of the plan and the same plans, without a
	 * schedule
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
		Builder changed = variant(limits);
		changed.plans = changed.plans.completed();
		return changed.create();
	}

	/**
	 * Return this rule as it counts calls in a time zone.
	 * @param zone the zone that {@link #zone()} selects
	 * @return a changed copy, or this rule if no zone depends on the call
	 */
	public RateLimitRule inZone(ZoneId zone) {
		return (zone() == null) ? this : variant(limits().stream().map((limit) -> {
			LimitCalendar calendar = limit.calendar();
			return (calendar != null && calendar.zoneExpression() != null) ? limit.withZone(zone) : limit;
		}).toList()).create();
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
		Limit.Builder changed = limits().get(0).toBuilder();
		for (LimitAttribute<?> number : LimitAttribute.NUMBERS) {
			changed.putSaid(number, numbers);
		}
		return underPlan(List.of(changed.max(numbers.max()).build()));
	}

	/**
	 * Begin a copy for some calls, which does not try candidates.
	 */
	private Builder variant(List<Limit> changed) {
		Builder builder = copy(changed);
		builder.candidates = Map.of();
		return builder;
	}

	private Builder copy(List<Limit> changed) {
		Builder builder = named(name()).key(key())
			.onStoreFailure(onStoreFailure())
			.mode(mode())
			.maxWait(maxWait())
			.prefetch(prefetch())
			.ban(ban())
			.lists(lists());
		builder.plans = this.plans;
		builder.settling = this.settling;
		builder.priority = this.priority;
		builder.headroom = this.headroom;
		builder.candidates = this.candidates;
		builder.limits.addAll(changed);
		return builder;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RateLimitRule that && this.name.equals(that.name) && this.limits.equals(that.limits)
				&& Objects.equals(this.key, that.key) && this.onStoreFailure == that.onStoreFailure
				&& this.mode == that.mode && this.maxWait.equals(that.maxWait)
				&& Objects.equals(this.prefetch, that.prefetch) && this.plans.equals(that.plans)
				&& this.settling.equals(that.settling) && Objects.equals(this.priority, that.priority)
				&& this.headroom.equals(that.headroom) && Objects.equals(this.ban, that.ban)
				&& this.lists.equals(that.lists) && this.candidates.equals(that.candidates);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.limits, this.key, this.onStoreFailure, this.mode, this.maxWait,
				this.prefetch, this.plans, this.settling, this.priority, this.headroom, this.ban, this.lists,
				this.candidates);
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

		private @Nullable String key;

		private @Nullable OnStoreFailure onStoreFailure;

		private @Nullable Mode mode;

		private Duration maxWait = Duration.ZERO;

		private @Nullable Duration prefetch;

		private Plans plans = Plans.NONE;

		private Settling settling = Settling.NONE;

		private @Nullable String priority;

		private Map<String, Headroom> headroom = Map.of();

		private @Nullable Ban ban;

		private List<String> allow = List.of();

		private List<String> deny = List.of();

		private Map<String, List<Limit>> candidates = Map.of();

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
		 * Set the time that a call may wait instead of being denied.
		 * @param maxWait the longest wait, {@link Duration#ZERO} to deny at once
		 * @return this builder
		 * @throws InvalidAttributeException if it is negative or longer than
		 * {@link Limit#MAX_PERIOD}
		 */
		public Builder maxWait(Duration maxWait) {
			RuleChecks.checkMaxWait(maxWait);
			this.maxWait = maxWait;
			return this;
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
			RuleChecks.checkPrefetchRange(prefetch);
			this.prefetch = prefetch;
			return this;
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
			this.ban = ban;
			return this;
		}

		/**
		 * Set the keys that always pass and are not counted.
		 * @param keys the keys; a network such as {@code 10.0.0.0/8} stands for all keys
		 * that are an address in it
		 * @return this builder
		 */
		public Builder allow(String... keys) {
			this.allow = List.of(keys);
			return this;
		}

		/**
		 * Set the keys that never pass.
		 * @param keys the keys; a network such as {@code 10.0.0.0/8} stands for all keys
		 * that are an address in it
		 * @return this builder
		 */
		public Builder deny(String... keys) {
			this.deny = List.of(keys);
			return this;
		}

		/**
		 * Set the keys that always pass and those that never do.
		 * @param lists both lists
		 * @return this builder
		 */
		public Builder lists(KeyLists lists) {
			this.allow = lists.allow();
			this.deny = lists.deny();
			return this;
		}

		/**
		 * Set the SpEL expression for the keys of annotated methods and URL rules.
		 * @param key the expression, or {@code null} to leave it to the annotation
		 * @return this builder
		 */
		public Builder key(@Nullable String key) {
			this.key = key;
			return this;
		}

		/**
		 * Set the policy for calls that the store cannot answer.
		 * @param onStoreFailure the policy, or {@code null} for the default
		 * @return this builder
		 */
		public Builder onStoreFailure(@Nullable OnStoreFailure onStoreFailure) {
			this.onStoreFailure = onStoreFailure;
			return this;
		}

		/**
		 * Set the effect that decisions of the rule have on calls.
		 * @param mode the mode, or {@code null} for the default
		 * @return this builder
		 */
		public Builder mode(@Nullable Mode mode) {
			this.mode = mode;
			return this;
		}

		/**
		 * Set the SpEL expression for the plans of annotated methods and URL rules.
		 * @param expression the expression; its value is the name of a plan, or a
		 * {@link Limit} if the rule has one limit, or {@code null} for the rule's own
		 * numbers; {@code null} to leave it to the annotation
		 * @return this builder
		 */
		public Builder plan(@Nullable String expression) {
			PlanChecks.checkExpression(expression);
			this.plans = this.plans.withExpression(expression);
			return this;
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
			RuleChecks.checkExpression("unless", expression, "#error == null");
			this.settling = this.settling.withUnless(expression);
			return this;
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
			RuleChecks.checkExpression("settle", expression, "#result.tokens");
			this.settling = this.settling.withSettle(expression);
			return this;
		}

		/**
		 * Set the SpEL expression for the classes of calls of annotated methods and URL
		 * rules.
		 * @param expression the expression, {@code "header('X-Priority')"} for example,
		 * or {@code null} to leave it to the annotation
		 * @return this builder
		 */
		public Builder priority(@Nullable String expression) {
			RuleChecks.checkExpression("priority", expression, "header('X-Priority')");
			this.priority = expression;
			return this;
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
			RuleChecks.checkClass(Objects.requireNonNull(priority,
					() -> "The class of calls of rule \"" + this.name + "\" must not be null"));
			Objects.requireNonNull(headroom, () -> "The headroom of \"" + priority + "\" of rule \"" + this.name
					+ "\" must not be null; for nothing, use Headroom.ofUnits(0)");
			Map<String, Headroom> changed = new LinkedHashMap<>(this.headroom);
			changed.put(priority, headroom);
			this.headroom = Collections.unmodifiableMap(changed);
			return this;
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
			PlanChecks.checkName(name);
			this.plans = this.plans.with(name, limits);
			return this;
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
			RuleChecks.checkCandidate(name);
			Map<String, List<Limit>> changed = new LinkedHashMap<>(this.candidates);
			changed.put(name, List.copyOf(limits));
			this.candidates = Collections.unmodifiableMap(changed);
			return this;
		}

		/**
		 * Let the time select the plan of calls that select none: the first one that
		 * holds.
		 * @param schedule plans of this rule in order, instead of earlier ones
		 * @return this builder
		 */
		public Builder schedule(ScheduledPlan... schedule) {
			this.plans = this.plans.withSchedule(List.of(schedule));
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
			if (!this.candidates.isEmpty()) {
				this.candidates = Candidates.over(limits(), this.candidates);
			}
			RateLimitRule rule = create();
			if (!this.headroom.isEmpty()) {
				HeadroomChecks.checkCapacity(this.headroom, rule.limits());
				if (!rule.candidates.isEmpty()) {
					CandidateChecks.checkCapacity(this.headroom, rule.candidates);
				}
			}
			return rule;
		}

		private RateLimitRule create() {
			RuleChecks.checkLimits(this.name, this.limits);
			RateLimitRule rule = new RateLimitRule(this, limits());
			RuleChecks.check(rule, rule.settling.usedUnits());
			rule.candidates.keySet().forEach(rule::checkCandidate);
			return rule;
		}

		private List<Limit> limits() {
			List<Limit> completed = new ArrayList<>();
			for (Limit limit : this.limits) {
				completed.add(limit.toBuilder().completedBy(this).build());
			}
			return completed;
		}

		private KeyLists lists() {
			return (this.allow.isEmpty() && this.deny.isEmpty()) ? KeyLists.NONE : new KeyLists(this.allow, this.deny);
		}

	}

}
