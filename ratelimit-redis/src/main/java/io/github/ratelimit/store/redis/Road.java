package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Road by which the calls of a rule reach Redis. It is chosen once for each prepared
 * rule, so that calls pass nothing that their rule does not have.
 */
interface Road {

	/**
	 * Pay a call with units that this instance holds.
	 * @return the answer, or {@code null} if the call has to go to Redis, as by default
	 */
	default @Nullable RuleAnswer pay(Demand demand) {
		return null;
	}

	/**
	 * Decide a call in Redis.
	 * @param deadline the time at which the caller stops waiting, by the clock of
	 * {@link Deadlines}
	 */
	CompletableFuture<StoreAnswer> decide(Demand demand, long deadline);

}
