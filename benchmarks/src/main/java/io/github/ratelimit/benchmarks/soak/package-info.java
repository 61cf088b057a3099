/**
 * Soak test: a limiter under load, with random failures of Redis, checked by an oracle.
 */
@NullMarked
package io.github.ratelimit.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
