package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/**
 * What a rule has beside its counts, and follows each of its calls: slots, or a ban.
 */
interface CallFollower {

	/**
	 * Follow a call that is about to be sent.
	 * @param demand its demand under the rule
	 * @param answer the answer of Redis, later
	 */
	void follow(Demand demand, CompletableFuture<StoreAnswer> answer);

}
