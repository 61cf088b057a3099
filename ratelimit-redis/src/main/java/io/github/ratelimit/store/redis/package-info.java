/**
 * Counters in Redis, shared by all instances: one script call per decision.
 */
@NullMarked
package io.github.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
