package io.github.ratelimit;

/**
 * Units that a call took before it was known how many it needs, and the decision on it.
 * The call ends by {@link #settle}, {@link #cancel} or {@link #close}: the first of them
 * counts, and all others do nothing. Thread-safe.
 *
 * <pre class="code">
 * try (Reservation tokens = limiter.reserve(tenant, 4_000)) {
 * 	if (tokens.decision().allowed()) {
 * 		tokens.settle(model.answer(question).totalTokens());
 * 	}
 * }
 * </pre>
 *
 * <p>
 * A failed call that ends by {@code close()} keeps its estimate, as {@code try} does
 * above if the model fails. So does a reservation that is never closed; nothing else is
 * kept for it. Under {@link Algorithm#CONCURRENCY}, however, it holds its slots as long
 * as the instance runs.
 *
 * <p>
 * No method here fails because the store cannot answer. Units that could not be refunded
 * stay counted, units that could not be charged are not charged, and the failure appears
 * in the meters and the log of the store. A settlement whose reply is lost is not
 * repeated; only freeing slots is retried until the store confirms it.
 *
 * @since 0.1.0
 * @see RateLimiter#reserve(String, long)
 */
public interface Reservation extends AutoCloseable {

	/**
	 * {@return the decision} If it is denied, nothing was taken, and ending does nothing.
	 * If it has a {@linkplain Decision#delay() delay}, the caller has to wait that long
	 * before it goes on.
	 */
	Decision decision();

	/**
	 * Settle the call by the units that it really took. If that is less than it reserved,
	 * the difference is refunded. If it is more, the difference is owed in full,
	 * regardless of the limit: no units remain, and {@code retryAfter} is the time until
	 * the debt is paid and the units of the next call are left. A call that takes 15 of
	 * 10 units per minute from a full bucket leaves 0 units, and the next unit in 36
	 * seconds.
	 *
	 * <p>
	 * The actual units count as if they had been taken by the reservation: in the window
	 * of that time, and with it they end. Nothing changes if that window is over, or if a
	 * bucket has been full since. That is exact as long as no more than 64 calls of the
	 * key are counted between a reservation and its end; after more of them, a bucket
	 * refunds less rather than more. With the units that are owed, a window holds at most
	 * 1,073,741,824 units, and a bucket what it refills in ten years.
	 * @param actual the units that the call took, 0 or more
	 * @throws IllegalArgumentException if the number is negative
	 * @throws IllegalStateException if a limit of the rule cannot owe units: it is not
	 * counted by {@link Algorithm#TOKEN_BUCKET}, {@link Algorithm#FIXED_WINDOW},
	 * {@link Algorithm#WEIGHTED_WINDOW} or {@link Algorithm#SLIDING_WINDOW}, or the rule
	 * prefetches
	 */
	void settle(long actual);

	/** Refund everything, as if the call had never been made. */
	void cancel();

	/**
	 * End the call with the units that it reserved. May return before the store has
	 * counted it.
	 */
	@Override
	void close();

}
