package io.github.ratelimit.store;

/**
 * Units that a call has used beyond those that it took. They are counted regardless of
 * the limit, as if the call had taken them with the others.
 *
 * @param demand the rule, the key and how many units
 * @param slot the time of the store's clock at which the call was counted
 * @param first whether the call had taken nothing
 * @since 0.1.0
 */
public record Debt(Demand demand, long slot, boolean first) {

}
