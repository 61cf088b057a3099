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
	 * @return when it is done; what a part of that store could not take stays here
	 */
	CompletionStage<Void> handOver(RateLimitStore back);

}
