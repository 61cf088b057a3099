package io.github.ratelimit;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Decides calls by one rule. Thread-safe. A key says who or what is counted; {@code ""}
 * is the one counter of a rule without keys.
 *
 * <p>
 * Every method throws {@link RateLimiterUnavailableException} when the store cannot
 * answer and the policy is {@link OnStoreFailure#DENY}; {@link #tryAcquireAsync} fails
 * the stage with it. A thread that is interrupted while it waits for the store gets
 * {@link RateLimitInterruptedException}, stays interrupted, and gives back what was
 * taken. A thread that would have to read the store's answer itself, an event loop of the
 * Redis client for example, gets an {@link IllegalStateException} at once.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

	/**
	 * The rule in force now.
	 * @return the rule
	 */
	RateLimitRule rule();

	/**
	 * Take one unit if there is one. Does not wait: if the rule has a
	 * {@linkplain RateLimitRule#maxWait() max-wait}, the decision may be an allowed one
	 * with a {@linkplain Decision#delay() delay}, and it is for the caller to go on only
	 * after it.
	 * @param key who or what is counted
	 * @return the decision
	 */
	default Decision tryAcquire(String key) {
		return tryAcquire(key, 1);
	}

	/**
	 * Take some units if they are there, all or none.
	 * @param key who or what is counted
	 * @param cost how many units; 0 looks and takes nothing
	 * @return the decision
	 * @throws IllegalArgumentException if the cost is negative
	 */
	Decision tryAcquire(String key, long cost);

	/**
	 * Take some units if they are there, all or none, without blocking the caller. A
	 * decision that comes later completes the stage on a thread of this library, where
	 * what follows may block. If the future of the stage is cancelled, or completed
	 * otherwise, before the decision has come, what was taken is given back; cancelling a
	 * stage derived from it has no such effect.
	 * @param key who or what is counted
	 * @param cost how many units; 0 looks and takes nothing
	 * @return the decision, later
	 * @throws IllegalArgumentException if the cost is negative
	 */
	CompletionStage<Decision> tryAcquireAsync(String key, long cost);

	/**
	 * Take some units, and wait for them if it does not take too long. How long is known
	 * at once: a wait longer than allowed is denied at once. Who is interrupted while
	 * waiting gives the units back.
	 * @param key who or what is counted
	 * @param cost how many units; 0 looks and takes nothing
	 * @param maxWait the longest wait, whatever the rule says
	 * @return the decision, when its delay is over
	 * @throws InterruptedException if the thread is interrupted while it waits, for its
	 * turn or for the store; it is not interrupted any more then
	 * @throws IllegalArgumentException if the cost or the wait is negative, or the wait
	 * longer than {@link Limit#MAX_PERIOD}
	 */
	Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException;

	/**
	 * Look without taking anything: what {@code tryAcquire(key, 0)} answers.
	 * @param key who or what is counted
	 * @return the decision
	 */
	default Decision peek(String key) {
		return tryAcquire(key, 0);
	}

	/**
	 * Give back units that were taken but not used, the newest ones first: a login that
	 * succeeded for example. More than was taken, or than still counts, has no effect, so
	 * a key never has more than its capacity left.
	 * @param key who or what is counted
	 * @param cost how many units, 0 or more
	 * @throws IllegalArgumentException if the cost is negative
	 */
	void refund(String key, long cost);

	/**
	 * Forget everything that was counted for a key.
	 * @param key who or what is counted
	 */
	void reset(String key);

}
