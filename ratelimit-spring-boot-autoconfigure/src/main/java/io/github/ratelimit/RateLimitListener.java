package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Is told what the limiter does: for metrics, health, logs. Every bean of this type is.
 * It is told on the thread that decides, which may be one of the Redis client, so it must
 * not block. What it throws is logged once and never breaks a call.
 *
 * <p>
 * Calls that come before the application has started are not told.
 *
 * @since 0.1.0
 */
public interface RateLimitListener {

	/**
	 * A rule let a call pass, or denied it. Of a call that is subject to several rules
	 * each is told when the call goes on; when it is denied, only those that denied it
	 * are, since the others took nothing. Rules that are off, and calls that cost nothing
	 * because they only look, are not told.
	 * @param decision what the rule said
	 */
	default void decided(RuleDecision decision) {
	}

	/**
	 * The store was asked, and has answered or failed. Not told while it is not asked
	 * because it does not answer.
	 * @param duration how long it took
	 */
	default void storeAsked(Duration duration) {
	}

	/**
	 * The store could not answer, a call or a probe.
	 * @param reason why, in a word: {@code timeout}, {@code connection},
	 * {@code wrongtype} for example
	 * @param remedy what somebody has to do about it, {@code null} if it passes by itself
	 */
	default void storeFailed(String reason, @Nullable String remedy) {
	}

	/**
	 * The store is asked no more because it fails, and rules follow their policy. A store
	 * with several parts, a cluster for example, tells so of each.
	 * @param reason why, in a word
	 */
	default void storeLost(String reason) {
	}

	/**
	 * The store, or the part of it that was lost, is asked again.
	 */
	default void storeFound() {
	}

}
