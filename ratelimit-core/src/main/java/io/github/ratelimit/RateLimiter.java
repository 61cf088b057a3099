package io.github.ratelimit;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Limiter of calls by one rule. Thread-safe. A key identifies the caller or thing that is
 * counted; {@code ""} is the only counter of a rule without keys.
 *
 * <p>
 * Methods that call the store throw {@link RateLimiterUnavailableException} if it cannot
 * answer and the policy is {@link OnStoreFailure#DENY}; {@link #tryAcquireAsync} and
 * {@link #reserveAsync} fail the stage with it. {@link #reset}, {@link #override} and
 * {@link #removeOverride} throw it regardless of the policy. A thread that is interrupted
 * while it waits for the store gets a {@link RateLimitInterruptedException} and stays
 * interrupted; its units are refunded. A thread that would have to read the store's
 * answer itself, an event loop of the Redis client for example, gets an
 * {@link IllegalStateException} at once.
 *
 * <p>
 * A call of a rule with {@link Algorithm#CONCURRENCY} holds units until it ends.
 * {@code tryAcquire}, {@code tryAcquireAsync} and {@code acquire} throw an
 * {@link IllegalStateException} for such a rule, because the end of the call would not be
 * noticed; {@link #peek} works.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

	/**
	 * {@return the rule in force}
	 */
	RateLimitRule rule();

	/**
	 * Take one unit if it is available. This method does not wait: if the rule has a
	 * {@linkplain RateLimitRule#maxWait() max-wait}, the decision may be allowed with a
	 * {@linkplain Decision#delay() delay}, which the caller has to wait.
	 * @param key the key
	 * @return the decision
	 */
	default Decision tryAcquire(String key) {
		return tryAcquire(key, 1);
	}

	/**
	 * Take units if they are available, all or none.
	 * @param key the key
	 * @param cost the number of units; 0 peeks
	 * @return the decision
	 * @throws IllegalArgumentException if the cost is negative
	 */
	Decision tryAcquire(String key, long cost);

	/**
	 * Take one unit if it is available, like {@code tryAcquireAsync(key, 1)}.
	 * @param key the key
	 * @return the decision, later
	 */
	default CompletionStage<Decision> tryAcquireAsync(String key) {
		return tryAcquireAsync(key, 1);
	}

	/**
	 * Take units if they are available, all or none, without blocking the caller. A later
	 * decision completes the stage on a thread of this library, which dependent stages
	 * may block. If the future of the stage is canceled or completed before the decision,
	 * the units are refunded; canceling a dependent stage has no such effect.
	 * @param key the key
	 * @param cost the number of units; 0 peeks
	 * @return the decision, later
	 * @throws IllegalArgumentException if the cost is negative
	 */
	CompletionStage<Decision> tryAcquireAsync(String key, long cost);

	/**
	 * Take units, and wait for them if the wait is short enough. A longer wait is denied
	 * at once. If the thread is interrupted while it waits, the units are refunded.
	 * @param key the key
	 * @param cost the number of units; 0 peeks
	 * @param maxWait the longest wait, instead of that of the rule
	 * @return the decision, after its delay
	 * @throws InterruptedException if the thread is interrupted while it waits for its
	 * turn or for the store; this clears the interruption
	 * @throws IllegalArgumentException if the cost or the wait is negative, or the wait
	 * longer than {@link Limit#MAX_PERIOD}
	 */
	Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException;

	/**
	 * Reserve one unit, like {@code reserve(key, 1)}.
	 * @param key the key
	 * @return the reservation, allowed or denied, which the caller ends
	 */
	default Reservation reserve(String key) {
		return reserve(key, 1);
	}

	/**
	 * Take units if they are available, all or none, for a call whose number of units is
	 * known only when it ends. It is decided like {@link #tryAcquire(String, long)}.
	 * Concurrent calls cannot take more than is left, because each takes its estimate
	 * before it begins. Estimate high rather than low: what a call takes beyond its
	 * estimate is only charged when it is settled.
	 * @param key the key
	 * @param cost the estimated number of units; with 0, the call is allowed unless the
	 * key is banned or blocked, and settling charges all of its units
	 * @return the reservation, allowed or denied, which the caller ends
	 * @throws IllegalArgumentException if the cost is negative
	 */
	Reservation reserve(String key, long cost);

	/**
	 * Reserve one unit, like {@code reserveAsync(key, 1)}.
	 * @param key the key
	 * @return the reservation, later
	 */
	default CompletionStage<Reservation> reserveAsync(String key) {
		return reserveAsync(key, 1);
	}

	/**
	 * Take units if they are available, like {@link #reserve(String, long)}, without
	 * blocking the caller. The stage completes like that of {@link #tryAcquireAsync}. If
	 * its future is canceled or completed before the decision, the units are refunded.
	 * @param key the key
	 * @param cost the estimated number of units
	 * @return the reservation, later
	 * @throws IllegalArgumentException if the cost is negative
	 */
	CompletionStage<Reservation> reserveAsync(String key, long cost);

	/**
	 * Decide a call without taking anything, like {@code tryAcquire(key, 0)}. It is
	 * allowed unless the key is banned or blocked.
	 * @param key the key
	 * @return the decision
	 */
	default Decision peek(String key) {
		return tryAcquire(key, 0);
	}

	/**
	 * Refund units that were taken but not used, the newest of the key first. Units
	 * beyond those that still count have no effect, so a key never has more than its
	 * capacity left. To refund the units of one call, reserve them, and cancel the
	 * reservation.
	 * @param key the key
	 * @param cost the number of units, 0 or more
	 * @throws IllegalArgumentException if the cost is negative
	 */
	void refund(String key, long cost);

	/**
	 * Forget all counts of a key. Calls that still run change nothing that newer calls
	 * have counted when they end.
	 * @param key the key
	 * @throws RateLimiterUnavailableException if the store does not confirm it,
	 * regardless of the policy
	 */
	void reset(String key);

	/**
	 * {@return a view of this limiter whose calls come under a plan of the rule, and
	 * which follows changes of the rule; its {@link #rule()} has the limits of the plan}
	 * The numbers of the plan decide its calls; a key has one counter under all plans.
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers, an unknown one with a warning
	 */
	RateLimiter withPlan(@Nullable String plan);

	/**
	 * {@return a view of this limiter whose calls belong to a class of the rule, and
	 * which follows changes of the rule} They leave its
	 * {@linkplain RateLimitRule#headroom() headroom} free; {@link Decision#remaining} and
	 * {@link Decision#retryAfter} are those of the class.
	 * @param priority the name of the class, in any case; {@code null}, empty or unknown
	 * for {@code other}. Calls of a rule with headroom cannot wait.
	 */
	RateLimiter withPriority(@Nullable String priority);

	/**
	 * Override the rule for one key, in every instance within a second, instead of an
	 * earlier override of the key. At most 10,000 keys of a rule can be overridden.
	 * @param key the key
	 * @param override the override
	 * @throws RateLimitConfigurationException if the override does not fit the rule: it
	 * names an unknown limit or an adaptive one, or a number is out of range
	 * @throws TooManyOverridesException if too many keys of the rule are overridden
	 * @throws RateLimiterUnavailableException if the store does not confirm the override,
	 * regardless of the policy
	 */
	void override(String key, KeyOverride override);

	/**
	 * Remove the override of a key. Units that were counted meanwhile stay counted.
	 * @param key the key
	 * @return {@code false} if there was none
	 * @throws RateLimiterUnavailableException if the store does not confirm the removal,
	 * regardless of the policy
	 */
	boolean removeOverride(String key);

	/**
	 * {@return a copy of the overrides of single keys, by key, as last read by this
	 * instance} The store is not called.
	 */
	Map<String, KeyOverride> overrides();

}
