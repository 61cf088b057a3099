package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

/**
 * The answer to one call, over all limits of all its rules: all hold and all are counted,
 * or the call is denied and none is.
 *
 * <p>
 * {@code limit}, {@code remaining} and {@code resetAfter} are those of the tightest
 * limit: of a denied call the violated one that holds longest, of an allowed call the one
 * with the fewest units left.
 *
 * <p>
 * Rules in {@linkplain Mode#SHADOW shadow mode} have no part in it. Of a call that is
 * subject to no others, {@code limit}, {@code remaining} and {@code resetAfter} are those
 * of the shadow rules all the same, for programs to look at; it is allowed, at once.
 *
 * @param allowed whether the call may go on
 * @param rule the rule of the tightest limit
 * @param limit the capacity of the tightest limit
 * @param remaining how many units the tightest limit has left
 * @param retryAfter after how long, with no other traffic, the same call would be
 * admitted: {@link Duration#ZERO} when allowed, {@link #NEVER} when it can never be
 * @param resetAfter the time until the tightest limit is as if unused
 * @param delay how long to wait before going on; {@link Duration#ZERO} when not to wait
 * @param violated the names of the limits that denied, empty when allowed
 * @param limits where each limit that is enforced stands, rules and limits in declared
 * order; empty when none is, or when nobody counted because the store failed and the
 * policy is {@link OnStoreFailure#ALLOW}
 * @param origin who decided
 * @since 0.1.0
 */
public record Decision(boolean allowed, String rule, long limit, long remaining, Duration retryAfter,
		Duration resetAfter, Duration delay, List<String> violated, List<LimitStatus> limits, Origin origin) {

	/**
	 * The {@link #retryAfter()} of a call that can never be admitted, because it costs
	 * more than a limit can hold. Longer than any real wait, and safe to convert to
	 * milliseconds.
	 */
	public static final Duration NEVER = Duration.ofMillis(Long.MAX_VALUE);

	/**
	 * Who decided.
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
		 * A denial by Redis a moment ago, which is known to hold still.
		 */
		DENY_CACHE,

		/**
		 * The policy for a store that cannot answer: counters inside this process, or
		 * nobody.
		 */
		FALLBACK,

		/**
		 * Nobody: all rules of the call are {@linkplain Mode#OFF off}.
		 */
		NONE

	}

}
