package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a rule that a builder collects, beside its limits.
 */
abstract sealed class RuleSettings extends LimitSettings<RateLimitRule.Builder> permits RateLimitRule.Builder {

	@Nullable String key;

	@Nullable OnStoreFailure onStoreFailure;

	@Nullable Mode mode;

	Duration maxWait = Duration.ZERO;

	@Nullable Duration prefetch;

	Plans plans = Plans.NONE;

	Settling settling = Settling.NONE;

	@Nullable Ban ban;

	private List<String> allow = List.of();

	private List<String> deny = List.of();

	/**
	 * Set the time that a call may wait instead of being denied.
	 * @param maxWait the longest wait, {@link Duration#ZERO} to deny at once
	 * @return this builder
	 * @throws InvalidAttributeException if it is negative or longer than
	 * {@link Limit#MAX_PERIOD}
	 */
	public RateLimitRule.Builder maxWait(Duration maxWait) {
		RuleChecks.checkMaxWait(maxWait);
		this.maxWait = maxWait;
		return self();
	}

	/**
	 * Let instances hold units for a short time. An instance whose calls for a key come
	 * faster than its round trips to Redis fetches several units at once, decides by
	 * itself while they last, and refunds the rest when the time is over. The limits stay
	 * exact: units are counted as of the end of that time. As a limit is approached,
	 * fewer units are held, and the last ones are decided call by call; while others hold
	 * units, a call may be denied this much too early. Stores inside the process ignore
	 * it.
	 * @param prefetch the time that units may be held, from 1 ms to 1 s, 20 ms for
	 * example; {@code null} to send every call to Redis
	 * @return this builder
	 * @throws InvalidAttributeException if it is shorter or longer
	 */
	public RateLimitRule.Builder prefetch(@Nullable Duration prefetch) {
		PrefetchChecks.checkRange(prefetch);
		this.prefetch = prefetch;
		return self();
	}

	/**
	 * Ban keys that are denied again and again, in all instances at once. A call counts
	 * as a denial if a limit of this rule denies it. Decisions name the ban beside the
	 * limits that denied: {@code login-ban}.
	 * @param ban the ban, {@code new Ban(20, Duration.ofMinutes(10),
	 * Duration.ofHours(1))} for example, or {@code null} to ban no key
	 * @return this builder
	 */
	public RateLimitRule.Builder ban(@Nullable Ban ban) {
		this.ban = ban;
		return self();
	}

	/**
	 * Set the keys that always pass and are not counted.
	 * @param keys the keys; a network such as {@code 10.0.0.0/8} stands for all keys that
	 * are an address in it
	 * @return this builder
	 */
	public RateLimitRule.Builder allow(String... keys) {
		this.allow = List.of(keys);
		return self();
	}

	/**
	 * Set the keys that never pass.
	 * @param keys the keys; a network such as {@code 10.0.0.0/8} stands for all keys that
	 * are an address in it
	 * @return this builder
	 */
	public RateLimitRule.Builder deny(String... keys) {
		this.deny = List.of(keys);
		return self();
	}

	/**
	 * Set the keys that always pass and those that never do.
	 * @param lists both lists
	 * @return this builder
	 */
	public RateLimitRule.Builder lists(KeyLists lists) {
		this.allow = lists.allow();
		this.deny = lists.deny();
		return self();
	}

	/**
	 * Set the SpEL expression for the keys of annotated methods and URL rules.
	 * @param key the expression, or {@code null} to leave it to the annotation
	 * @return this builder
	 */
	public RateLimitRule.Builder key(@Nullable String key) {
		this.key = key;
		return self();
	}

	/**
	 * Set the policy for calls that the store cannot answer.
	 * @param onStoreFailure the policy, or {@code null} for the default
	 * @return this builder
	 */
	public RateLimitRule.Builder onStoreFailure(@Nullable OnStoreFailure onStoreFailure) {
		this.onStoreFailure = onStoreFailure;
		return self();
	}

	/**
	 * Set the effect that decisions of the rule have on calls.
	 * @param mode the mode, or {@code null} for the default
	 * @return this builder
	 */
	public RateLimitRule.Builder mode(@Nullable Mode mode) {
		this.mode = mode;
		return self();
	}

	/**
	 * Set the SpEL expression for the plans of annotated methods and URL rules.
	 * @param expression the expression; its value is the name of a plan, or a
	 * {@link Limit} if the rule has one limit, or {@code null} for the rule's own
	 * numbers; {@code null} to leave it to the annotation
	 * @return this builder
	 */
	public RateLimitRule.Builder plan(@Nullable String expression) {
		PlanChecks.checkExpression(expression);
		this.plans = this.plans.withExpression(expression);
		return self();
	}

	/**
	 * Set the SpEL expression that decides, when a call of an annotated method or a
	 * request ends, whether its units are refunded.
	 * @param expression the expression over the outcome of the call, {@code "#error ==
	 * null"} to count failed calls only, or {@code null} to leave it to the annotation
	 * @return this builder
	 */
	public RateLimitRule.Builder unless(@Nullable String expression) {
		SettlingChecks.checkExpression("unless", expression, "#error == null");
		this.settling = this.settling.withUnless(expression);
		return self();
	}

	/**
	 * Set the SpEL expression of the units that a call of an annotated method or a
	 * request has used when it ends. Its cost is then an estimate: unused units are
	 * refunded, and units beyond the estimate are owed.
	 * @param expression the expression over the outcome of the call,
	 * {@code "#result.tokens"} for example, or {@code null} to leave it to the annotation
	 * @return this builder
	 */
	public RateLimitRule.Builder settle(@Nullable String expression) {
		SettlingChecks.checkExpression("settle", expression, "#result.tokens");
		this.settling = this.settling.withSettle(expression);
		return self();
	}

	/**
	 * Add a plan of a rule with one limit: other numbers for some callers, who are
	 * counted like all others.
	 * @param name lower case letters, digits and hyphens, 100 at most
	 * @param limit the {@code max} and {@code period} of the plan, and its {@code burst}
	 * if it is not the rule's; all else is the rule's
	 * @return this builder
	 */
	public RateLimitRule.Builder plan(String name, Limit limit) {
		return plan(name, List.of(limit));
	}

	/**
	 * Add a plan of a rule with several limits.
	 * @param name lower case letters, digits and hyphens, 100 at most
	 * @param limits other numbers for limits of the rule, each with the name of one; the
	 * other limits stay as they are
	 * @return this builder
	 */
	public RateLimitRule.Builder plan(String name, List<Limit> limits) {
		PlanChecks.checkName(name);
		this.plans = this.plans.with(name, limits);
		return self();
	}

	KeyLists lists() {
		return (this.allow.isEmpty() && this.deny.isEmpty()) ? KeyLists.NONE : new KeyLists(this.allow, this.deny);
	}

}
