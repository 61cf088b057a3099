/**
 * Port between limiters and the store of their counters.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link BanOutcome}, {@link BannedKey}, {@link Correction}, {@link CountSpec},
 * {@link Demand}, {@link Demands}, {@link LimitOutcome}, {@link RateLimitStore},
 * {@link RemoteStore}, {@link RuleAnswer}, {@link RuleCounts}, {@link StoreAnswer},
 * {@link StoreException}, {@link StoredKey} and {@link SummaryStore}.
 */
@NullMarked
package io.github.ratelimit.store;

import org.jspecify.annotations.NullMarked;
