package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

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
public final class RateLimitRule {

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,100}");

	private final String name;

	private final List<Limit> limits;

	private final @Nullable String key;

	private final @Nullable OnStoreFailure onStoreFailure;

	private final @Nullable Mode mode;

	private final Duration maxWait;

	private final boolean adaptive;

	private RateLimitRule(Builder builder) {
		this.name = builder.name;
		this.limits = List.copyOf(builder.limits());
		this.key = builder.key;
		this.onStoreFailure = builder.onStoreFailure;
		this.mode = builder.mode;
		this.maxWait = builder.maxWait;
		this.adaptive = this.limits.stream().anyMatch((limit) -> limit.adaptive() != null);
	}

	/**
	 * Begin a rule.
	 * @param name lower case letters, digits and hyphens, 100 at most
	 * @return a builder
	 * @throws RateLimitConfigurationException if the name is not of that form
	 */
	public static Builder named(String name) {
		if (!NAME.matcher(name).matches()) {
			throw new InvalidAttributeException("name", '"' + name + '"',
					"the name of a rule becomes part of Redis keys, headers and metric tags.",
					"Use 1 to 100 lower case letters, digits and hyphens, \"reply\" for example.");
		}
		return new Builder(name);
	}

	/**
	 * The name of this rule.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The limits that all have to hold, in declared order.
	 * @return at least one limit
	 */
	public List<Limit> limits() {
		return this.limits;
	}

	/**
	 * The SpEL expression that annotated methods and URL rules take their key from. The
	 * {@link RateLimiter} is given keys and does not look at it.
	 * @return the expression, or {@code null} when the rule leaves it to the annotation
	 */
	public @Nullable String key() {
		return this.key;
	}

	/**
	 * What happens when the store cannot answer.
	 * @return the policy, or {@code null} for {@code ratelimit.defaults.on-store-failure}
	 */
	public @Nullable OnStoreFailure onStoreFailure() {
		return this.onStoreFailure;
	}

	/**
	 * What the decision of this rule does to a call.
	 * @return the mode, or {@code null} for {@code ratelimit.defaults.mode}; a rule that
	 * is registered says it
	 */
	public @Nullable Mode mode() {
		return this.mode;
	}

	/**
	 * How long a call may wait instead of being denied.
	 * @return the longest wait, {@link Duration#ZERO} to deny at once
	 */
	public Duration maxWait() {
		return this.maxWait;
	}

	/**
	 * Whether one of the limits follows the load.
	 * @return whether there is an {@link Limit#adaptive() adaptive} limit
	 */
	public boolean isAdaptive() {
		return this.adaptive;
	}

	/**
	 * How decisions, headers and messages call one of the limits: like the rule, and with
	 * the limit's own name behind a hyphen when there are several.
	 * @param limit a limit of this rule
	 * @return {@code sms} or {@code sms-minute} for example
	 */
	public String nameOf(Limit limit) {
		return (this.limits.size() == 1) ? this.name : this.name + '-' + limit.name();
	}

	/**
	 * This rule with every {@link Algorithm#DEFAULT} replaced.
	 * @param algorithm what counts instead
	 * @return a changed copy, or this rule when there is nothing to replace
	 */
	public RateLimitRule withDefault(Algorithm algorithm) {
		if (this.limits.stream().noneMatch((limit) -> limit.algorithm() == Algorithm.DEFAULT)) {
			return this;
		}
		return withLimits(this.limits.stream()
			.map((limit) -> (limit.algorithm() == Algorithm.DEFAULT) ? limit.withAlgorithm(algorithm) : limit)
			.toList());
	}

	/**
	 * This rule with a mode, if it does not say one itself.
	 * @param defaultMode what holds otherwise
	 * @return a changed copy, or this rule when it says its mode
	 */
	public RateLimitRule withDefault(Mode defaultMode) {
		return (this.mode != null) ? this : copy(this.limits).mode(defaultMode).build();
	}

	/**
	 * This rule in another mode.
	 * @param changed the mode
	 * @return a changed copy
	 */
	public RateLimitRule withMode(Mode changed) {
		return copy(this.limits).mode(changed).build();
	}

	/**
	 * This rule with other limits.
	 * @param changed at least one limit
	 * @return a changed copy
	 */
	public RateLimitRule withLimits(List<Limit> changed) {
		return copy(changed).build();
	}

	private Builder copy(List<Limit> changed) {
		Builder builder = named(this.name).key(this.key)
			.onStoreFailure(this.onStoreFailure)
			.mode(this.mode)
			.maxWait(this.maxWait);
		changed.forEach(builder::limit);
		return builder;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RateLimitRule that && this.name.equals(that.name) && this.limits.equals(that.limits)
				&& Objects.equals(this.key, that.key) && this.onStoreFailure == that.onStoreFailure
				&& this.mode == that.mode && this.maxWait.equals(that.maxWait);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.limits, this.key, this.onStoreFailure, this.mode, this.maxWait);
	}

	@Override
	public String toString() {
		return this.name + ' ' + this.limits;
	}

	/**
	 * Collects what a rule consists of.
	 */
	public static final class Builder {

		private final String name;

		private final List<Limit> limits = new ArrayList<>();

		private LimitAttributes shared = LimitAttributes.NONE;

		private @Nullable String key;

		private @Nullable OnStoreFailure onStoreFailure;

		private @Nullable Mode mode;

		private Duration maxWait = Duration.ZERO;

		private Builder(String name) {
			this.name = name;
		}

		/**
		 * Add a limit.
		 * @param max how many units
		 * @param period in how much time
		 * @return this builder
		 * @see Limit#of(long, Duration)
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
		 * How the limits are counted that do not say so themselves.
		 * @param algorithm the algorithm
		 * @return this builder
		 */
		public Builder algorithm(Algorithm algorithm) {
			return shared(LimitAttribute.ALGORITHM, algorithm);
		}

		/**
		 * How many units pass at once, for the limits that do not say so themselves.
		 * @param burst the capacity of the buckets
		 * @return this builder
		 */
		public Builder burst(long burst) {
			return shared(LimitAttribute.BURST, burst);
		}

		/**
		 * Into how many sub-windows the period is cut, for the limits that do not say so
		 * themselves.
		 * @param segments the number of segments
		 * @return this builder
		 */
		public Builder segments(int segments) {
			return shared(LimitAttribute.SEGMENTS, segments);
		}

		/**
		 * Where windows begin, for the limits that do not say so themselves.
		 * @param align where
		 * @return this builder
		 */
		public Builder align(Align align) {
			return shared(LimitAttribute.ALIGN, align);
		}

		/**
		 * How long it takes to warm up, for the limits that do not say so themselves.
		 * @param warmUpPeriod the duration
		 * @return this builder
		 */
		public Builder warmUpPeriod(Duration warmUpPeriod) {
			return shared(LimitAttribute.WARM_UP_PERIOD, warmUpPeriod);
		}

		/**
		 * How many times slower it is when cold, for the limits that do not say so
		 * themselves.
		 * @param coldFactor the factor
		 * @return this builder
		 */
		public Builder coldFactor(int coldFactor) {
			return shared(LimitAttribute.COLD_FACTOR, coldFactor);
		}

		/**
		 * How far apart two admitted calls of a key are, for the limits that do not say
		 * so themselves.
		 * @param minInterval the interval
		 * @return this builder
		 */
		public Builder minInterval(Duration minInterval) {
			return shared(LimitAttribute.MIN_INTERVAL, minInterval);
		}

		/**
		 * Whether denied calls count too, for the limits that do not say so themselves.
		 * @param countDenied whether they do
		 * @return this builder
		 */
		public Builder countDenied(boolean countDenied) {
			return shared(LimitAttribute.COUNT_DENIED, countDenied);
		}

		/**
		 * How max follows the load, for the limits that do not say so themselves.
		 * @param adaptive how
		 * @return this builder
		 */
		public Builder adaptive(Adaptive adaptive) {
			return shared(LimitAttribute.ADAPTIVE, adaptive);
		}

		private <T> Builder shared(LimitAttribute<T> attribute, T value) {
			this.shared = this.shared.with(attribute, value);
			return this;
		}

		/**
		 * How long a call may wait instead of being denied.
		 * @param maxWait the longest wait, {@link Duration#ZERO} to deny at once
		 * @return this builder
		 * @throws InvalidAttributeException if it is negative or longer than
		 * {@link Limit#MAX_PERIOD}
		 */
		public Builder maxWait(Duration maxWait) {
			if (maxWait.isNegative() || maxWait.compareTo(Limit.MAX_PERIOD) > 0) {
				throw new InvalidAttributeException("max-wait", maxWait, "it has to be between 0 and 366 days.",
						"Write how long a call may wait, `max-wait: 2s` for example.");
			}
			this.maxWait = maxWait;
			return this;
		}

		/**
		 * Where annotated methods and URL rules take their key from.
		 * @param key a SpEL expression, or {@code null}
		 * @return this builder
		 */
		public Builder key(@Nullable String key) {
			this.key = key;
			return this;
		}

		/**
		 * What happens when the store cannot answer.
		 * @param onStoreFailure the policy, or {@code null} for the default
		 * @return this builder
		 */
		public Builder onStoreFailure(@Nullable OnStoreFailure onStoreFailure) {
			this.onStoreFailure = onStoreFailure;
			return this;
		}

		/**
		 * What the decision of the rule does to a call.
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
			if (this.limits.isEmpty()) {
				throw new RateLimitConfigurationException("Rule \"" + this.name + "\" has no limit.",
						"Give it one: limit(5, Duration.ofSeconds(60)) for example.");
			}
			if (this.limits.size() > 1) {
				checkNames();
			}
			return new RateLimitRule(this);
		}

		private void checkNames() {
			Set<String> names = new HashSet<>();
			for (Limit limit : this.limits) {
				if (limit.name() == null || !names.add(limit.name())) {
					throw new InvalidAttributeException("name", limit.name(),
							"rule \"" + this.name + "\" has several limits, and each needs a name of its own.",
							"Name them, \"minute\" and \"day\" for example.");
				}
			}
		}

		private List<Limit> limits() {
			return this.limits.stream().map((limit) -> limit.completedBy(this.shared)).toList();
		}

	}

}
