/**
 * The port between a limiter and the place where its counters live.
 */
@NullMarked
package io.github.ratelimit.store;

import org.jspecify.annotations.NullMarked;
