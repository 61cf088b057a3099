package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Listener to decisions and to the state of the store, for metrics, traces, health and
 * logs. Every bean of this type is registered. It is called on the deciding thread, which
 * may belong to the Redis client, so it must not block. An exception is logged once and
 * never breaks a call.
 *
 * <p>
 * Calls before the application has started are not reported.
 *
 * @since 0.1.0
 */
public interface RateLimitListener {

	/**
	 * Receive the decision of a rule on a call. If a call under several rules proceeds,
	 * each rule is reported; if it is denied, only the rules that denied it, since the
	 * others counted nothing. Rules that are off, keys that a rule lets pass uncounted,
	 * and peeks are not reported. A blocked key is reported as a denial.
	 * @param decision the decision of the rule
	 */
	default void decided(RuleDecision decision) {
	}

	/**
	 * {@return the listener to the decision of a call that is about to be decided without
	 * blocking the current thread, by default this one} The decision may be reported on
	 * another thread: a listener that reads thread-local values of the caller reads them
	 * here, and keeps them in the listener that it returns.
	 */
	default RateLimitListener forCaller() {
		return this;
	}

	/**
	 * Receive a call under a plan that its rule does not have. The rule's own numbers
	 * decide it.
	 * @param rule the name of the rule
	 */
	default void planUnknown(String rule) {
	}

	/**
	 * Receive a call for which the zone expression of its rule selects a time zone that
	 * does not exist. It is counted by UTC.
	 * @param rule the name of the rule
	 */
	default void zoneUnknown(String rule) {
	}

	/**
	 * Receive the decision of a candidate, which changes nothing for the call.
	 * @param rule the name of the rule
	 * @param candidate the name of the candidate
	 * @param outcome {@link RuleDecision.Outcome#ALLOWED} or
	 * {@link RuleDecision.Outcome#DENIED}
	 */
	default void tried(String rule, String candidate, RuleDecision.Outcome outcome) {
	}

	/**
	 * Receive the loss of the slots of a call that runs on: the store had forgotten them,
	 * or the lease of this instance had ended, and other calls have taken the slots.
	 * @param rule the name of the rule
	 */
	default void slotsLost(String rule) {
	}

	/**
	 * Receive the duration of a call to the store, whether it was answered or failed.
	 * Nothing is reported while the store is not called because it is unavailable.
	 * @param duration the duration of the call
	 */
	default void storeCalled(Duration duration) {
	}

	/**
	 * Receive the failure of a call to the store or of a probe.
	 * @param reason the reason in one word, {@code timeout}, {@code connection} or
	 * {@code wrongtype} for example
	 * @param remedy the remedy, {@code null} if the failure passes by itself
	 */
	default void storeFailed(String reason, @Nullable String remedy) {
	}

	/**
	 * Receive the loss of the store: it fails, is not called any more, and rules follow
	 * their policy. A store with several failure domains, a cluster for example, reports
	 * each of them. A loss before the end of startup is reported then.
	 * @param reason the reason in one word
	 */
	default void storeUnavailable(String reason) {
	}

	/** Receive the recovery of the store, or of the failure domain that was lost. */
	default void storeRecovered() {
	}

}
