/**
 * Counters in Redis, shared by all instances: one script call per decision.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
