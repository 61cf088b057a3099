package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

/**
 * Decision on one call, over all limits of all its rules: either all of them admit and
 * count the call, or the call is denied and none counts it.
 *
 * <p>
 * {@code limit}, {@code remaining} and {@code resetAfter} are those of the tightest
 * limit: for a denied call the violated limit that holds longest, for an allowed call the
 * limit with the fewest units left.
 *
 * <p>
 * Rules in {@linkplain Mode#SHADOW shadow mode} do not affect it. If a call is subject to
 * shadow rules only, {@code limit}, {@code remaining} and {@code resetAfter} are still
 * theirs, and the call is allowed at once.
 *
 * @param allowed whether the call may go on
 * @param rule the rule of the tightest limit
 * @param limit the capacity of the tightest limit
 * @param remaining the units that the tightest limit has left
 * @param retryAfter the time after which, without other traffic, the same call is
 * admitted: {@link Duration#ZERO} when allowed, {@link #NEVER} when it can never be
 * admitted
 * @param resetAfter the time until the tightest limit equals an unused one
 * @param delay the time to wait before the call proceeds; {@link Duration#ZERO} for none
 * @param violated the names of the limits that denied, empty when allowed
 * @param limits the status of each enforced limit, rules and limits in declared order;
 * empty if no limit is enforced, or if the store failed and the policy is
 * {@link OnStoreFailure#ALLOW}
 * @param origin the source of the decision
 * @since 0.1.0
 */
public record Decision(boolean allowed, String rule, long limit, long remaining, Duration retryAfter,
		Duration resetAfter, Duration delay, List<String> violated, List<LimitStatus> limits, Origin origin) {

	/**
	 * The {@link #retryAfter()} of a call that can never be admitted, because it costs
	 * more than a limit can hold. It is longer than any real wait, and converts to
	 * milliseconds without overflow.
	 */
	public static final Duration NEVER = Duration.ofMillis(Long.MAX_VALUE);

	/**
	 * Source of a decision.
	 */
	public enum Origin {

		/**
		 * Counters in Redis.
		 */
		REDIS,

		/**
		 * Counters inside this process, by configuration.
		 */
		LOCAL,

		/**
		 * An earlier denial by Redis that still holds.
		 */
		DENY_CACHE,

		/**
		 * The policy for a store that cannot answer: counters inside this process, or no
		 * count at all.
		 */
		FALLBACK,

		/**
		 * No count: all rules of the call are {@linkplain Mode#OFF off}.
		 */
		NONE

	}

}
