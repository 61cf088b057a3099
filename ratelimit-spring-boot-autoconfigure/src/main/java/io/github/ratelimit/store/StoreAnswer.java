package io.github.ratelimit.store;

import java.util.List;

/**
 * What a store says to a call.
 *
 * @param outcomes what each limit says, demands and limits in order
 * @param now the time of the store's clock at which it was asked, in microseconds
 * @since 0.1.0
 */
public record StoreAnswer(List<LimitOutcome> outcomes, long now) {

}
