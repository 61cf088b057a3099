package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A named policy: one or more limits that all have to hold. Immutable.
 *
 * <pre>
 * RateLimitRule.named("reply").limit(5, Duration.ofSeconds(60)).build()
 * RateLimitRule.named("search").limit(30, Duration.ofSeconds(60)).algorithm(Algorithm.TOKEN_BUCKET).burst(15).build()
 * </pre>
 *
 * @since 0.1.0
 */
public final class RateLimitRule extends RuleValues {

	private RateLimitRule(Builder builder) {
		super(builder);
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
		return (mode() != null) ? this : copy(limits()).mode(defaultMode).build();
	}

	/**
	 * Change the mode.
	 * @param changed the mode
	 * @return a changed copy
	 */
	public RateLimitRule withMode(Mode changed) {
		return copy(limits()).mode(changed).build();
	}

	/**
	 * Change the limits.
	 * @param changed at least one limit
	 * @return a changed copy
	 */
	public RateLimitRule withLimits(List<Limit> changed) {
		return copy(changed).build();
	}

	private Builder copy(List<Limit> changed) {
		Builder builder = named(name()).key(key())
			.onStoreFailure(onStoreFailure())
			.mode(mode())
			.maxWait(maxWait())
			.prefetch(prefetch())
			.lists(lists());
		changed.forEach(builder::limit);
		return builder;
	}

	/**
	 * Collects the values of a rule. Settings of limits, {@link #algorithm} or
	 * {@link #burst} for example, hold for those limits of the rule that do not have
	 * them.
	 */
	public static final class Builder extends LimitSettings<Builder> {

		final String name;

		private final List<Limit> limits = new ArrayList<>();

		@Nullable String key;

		@Nullable OnStoreFailure onStoreFailure;

		@Nullable Mode mode;

		Duration maxWait = Duration.ZERO;

		@Nullable Duration prefetch;

		private List<String> allow = List.of();

		private List<String> deny = List.of();

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
		 * decides by itself while they last, and returns the rest when the time is over.
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
			PrefetchChecks.checkRange(prefetch);
			this.prefetch = prefetch;
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
		 * Build the rule.
		 * @return the rule
		 * @throws RateLimitConfigurationException if there is no limit, or several limits
		 * without different names, or a value without effect
		 */
		public RateLimitRule build() {
			RuleChecks.checkLimits(this.name, this.limits);
			RateLimitRule rule = new RateLimitRule(this);
			PrefetchChecks.check(rule);
			return rule;
		}

		KeyLists lists() {
			return (this.allow.isEmpty() && this.deny.isEmpty()) ? KeyLists.NONE : new KeyLists(this.allow, this.deny);
		}

		List<Limit> limits() {
			return this.limits.stream().map((limit) -> limit.toBuilder().completedBy(this).build()).toList();
		}

	}

}
