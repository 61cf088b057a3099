package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Road by which the calls of a rule reach Redis. It is chosen once for each prepared
 * rule, so that calls pass nothing that their rule does not have.
 */
interface Road {

	/**
	 * @param deadline the time at which the caller stops waiting, by the clock of
	 * {@link Deadlines}
	 */
	CompletableFuture<StoreAnswer> decide(Demand demand, long deadline);

}
