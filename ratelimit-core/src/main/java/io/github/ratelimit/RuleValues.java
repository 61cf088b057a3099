package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Values of a rule.
 */
abstract sealed class RuleValues permits RateLimitRule {

	private final String name;

	private final List<Limit> limits;

	private final @Nullable String key;

	private final @Nullable OnStoreFailure onStoreFailure;

	private final @Nullable Mode mode;

	private final Duration maxWait;

	private final @Nullable Duration prefetch;

	private final Plans plans;

	private final Settling settling;

	private final @Nullable Ban ban;

	private final KeyLists lists;

	private final boolean adaptive;

	RuleValues(RateLimitRule.Builder builder, List<Limit> limits) {
		this.name = builder.name;
		this.limits = List.copyOf(limits);
		this.key = builder.key;
		this.onStoreFailure = builder.onStoreFailure;
		this.mode = builder.mode;
		this.maxWait = builder.maxWait;
		this.prefetch = builder.prefetch;
		this.plans = builder.plans.over(this.limits);
		this.settling = builder.settling;
		this.ban = builder.ban;
		this.lists = builder.lists();
		this.adaptive = this.limits.stream().anyMatch((limit) -> limit.adaptive() != null);
	}

	/**
	 * Return the name of this rule.
	 * @return the name
	 */
	public final String name() {
		return this.name;
	}

	/**
	 * Return the limits, all of which have to hold.
	 * @return at least one limit, in declared order
	 */
	public final List<Limit> limits() {
		return this.limits;
	}

	/**
	 * Return the SpEL expression for the keys of annotated methods and URL rules. A
	 * {@link RateLimiter} is given keys and ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public final @Nullable String key() {
		return this.key;
	}

	/**
	 * Return the policy for calls that the store cannot answer.
	 * @return the policy, or {@code null} for {@code ratelimit.defaults.on-store-failure}
	 */
	public final @Nullable OnStoreFailure onStoreFailure() {
		return this.onStoreFailure;
	}

	/**
	 * Return the effect that decisions of this rule have on calls.
	 * @return the mode, or {@code null} for {@code ratelimit.defaults.mode}; never
	 * {@code null} in a registered rule
	 */
	public final @Nullable Mode mode() {
		return this.mode;
	}

	/**
	 * Return the time that a call may wait instead of being denied.
	 * @return the longest wait, {@link Duration#ZERO} to deny at once
	 */
	public final Duration maxWait() {
		return this.maxWait;
	}

	/**
	 * Return how long an instance may hold units that it has fetched from Redis ahead of
	 * its calls.
	 * @return the time, or {@code null} if every call is decided by Redis
	 */
	public final @Nullable Duration prefetch() {
		return this.prefetch;
	}

	/**
	 * Return the SpEL expression for the plans of annotated methods and URL rules. A
	 * {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public final @Nullable String plan() {
		return this.plans.expression();
	}

	/**
	 * Return the SpEL expression that selects the time zone of each call, for all limits
	 * by a calendar that have it.
	 * @return the expression, or {@code null} if no zone depends on the call
	 * @see LimitCalendar#zoneExpression()
	 */
	public final @Nullable String zone() {
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
	public final Map<String, List<Limit>> plans() {
		return this.plans.limits();
	}

	/**
	 * Return whether calls may come under different plans.
	 * @return whether there is a plan, or an expression that selects one
	 */
	public final boolean hasPlans() {
		return !this.plans.isEmpty();
	}

	/**
	 * Return the SpEL expression that decides when a call ends whether its units are
	 * refunded. A {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public final @Nullable String unless() {
		return this.settling.unless();
	}

	/**
	 * Return the SpEL expression of the units that a call has used when it ends. A
	 * {@link RateLimiter} ignores it.
	 * @return the expression, or {@code null} to leave it to the annotation
	 */
	public final @Nullable String settle() {
		return this.settling.settle();
	}

	/**
	 * Return whether calls may settle their units when they end.
	 * @return whether this rule or an annotation of it has {@link #unless()} or
	 * {@link #settle()}
	 */
	public final boolean maySettle() {
		return this.settling.isPossible();
	}

	/**
	 * Return when keys are banned that are denied again and again.
	 * @return the ban, or {@code null} if no key is banned
	 */
	public final @Nullable Ban ban() {
		return this.ban;
	}

	/**
	 * Return the keys that this rule does not count: they always pass, or never do.
	 * @return the lists, {@link KeyLists#NONE} if there are none
	 */
	public final KeyLists lists() {
		return this.lists;
	}

	/**
	 * Return whether one of the limits follows the load.
	 * @return whether there is an {@link Limit#adaptive() adaptive} limit
	 */
	public final boolean isAdaptive() {
		return this.adaptive;
	}

	/**
	 * Return the name of a limit in decisions, headers and messages: that of the rule,
	 * followed by a hyphen and the limit's own name if there are several.
	 * @param limit a limit of this rule
	 * @return {@code sms} or {@code sms-minute} for example
	 */
	public final String nameOf(Limit limit) {
		return (this.limits.size() == 1) ? this.name : this.name + '-' + limit.name();
	}

	final Plans allPlans() {
		return this.plans;
	}

	final Settling settling() {
		return this.settling;
	}

	/**
	 * Return the name of the ban in decisions and messages: that of the rule, followed by
	 * {@code -ban}.
	 * @return {@code login-ban} for example
	 */
	public final String nameOfBan() {
		return this.name + "-ban";
	}

	@Override
	public final boolean equals(@Nullable Object other) {
		return other instanceof RuleValues that && this.name.equals(that.name) && this.limits.equals(that.limits)
				&& Objects.equals(this.key, that.key) && this.onStoreFailure == that.onStoreFailure
				&& this.mode == that.mode && this.maxWait.equals(that.maxWait)
				&& Objects.equals(this.prefetch, that.prefetch) && this.plans.equals(that.plans)
				&& this.settling.equals(that.settling) && Objects.equals(this.ban, that.ban)
				&& this.lists.equals(that.lists);
	}

	@Override
	public final int hashCode() {
		return Objects.hash(this.name, this.limits, this.key, this.onStoreFailure, this.mode, this.maxWait,
				this.prefetch, this.plans, this.settling, this.ban, this.lists);
	}

	@Override
	public final String toString() {
		return this.name + ' ' + this.limits;
	}

}
