package io.github.ratelimit.store;

import java.util.Collection;
import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

/**
 * Fallback that counts while another store cannot answer. What it counts is to be charged
 * to that store, whenever that answers again; until a charge has succeeded, the fallback
 * keeps deciding by it.
 *
 * @since 0.1.0
 */
public interface FallbackStore extends RateLimitStore {

	/**
	 * Refuse a rule that cannot be counted here.
	 * @param rule the rule
	 * @throws RateLimitConfigurationException if it cannot
	 */
	default void judge(RateLimitRule rule) {
	}

	/**
	 * The keys of which something was counted here since their last charge.
	 * @return a live view, whose iterators may or may not see what is counted meanwhile
	 */
	Collection<? extends Uncharged> uncharged();

	/**
	 * Learn how much the store has counted of keys that are counted here as well, so that
	 * the fallback does not admit more than the store has left.
	 * @param demands what a call asked of the store
	 * @param answer what the store answered
	 */
	void heard(List<Demand> demands, StoreAnswer answer);

}
