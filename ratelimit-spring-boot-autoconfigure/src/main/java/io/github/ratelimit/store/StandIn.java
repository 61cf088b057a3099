package io.github.ratelimit.store;

import java.util.concurrent.CompletionStage;

/**
 * What counts while another store cannot.
 *
 * @since 0.1.0
 */
public interface StandIn extends RateLimitStore {

	/**
	 * Hand over what still counts.
	 * @param back the store that answers again
	 * @return when all of it was tried; what that store could not take stays here, and
	 * the stage fails with the reason
	 */
	CompletionStage<Void> handOver(RateLimitStore back);

}
