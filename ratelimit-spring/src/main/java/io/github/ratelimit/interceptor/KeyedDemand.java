package io.github.ratelimit.interceptor;

import io.github.ratelimit.store.Demand;

/**
 * Demand of a call, and its key as operators write it.
 *
 * @param demand the demand
 * @param key the key, of any length
 * @since 0.1.0
 */
public record KeyedDemand(Demand demand, String key) {

}
