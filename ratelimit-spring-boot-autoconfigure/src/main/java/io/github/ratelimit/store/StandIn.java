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
	 * @return when it is done; fails when that store does, and keeps then what was not
	 * handed over
	 */
	CompletionStage<Void> handOver(RateLimitStore back);

}
