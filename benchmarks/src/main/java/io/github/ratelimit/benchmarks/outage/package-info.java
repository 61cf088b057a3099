/**
 * Latencies of a limiter under load while its Redis hangs.
 */
@NullMarked
package io.github.ratelimit.benchmarks.outage;

import org.jspecify.annotations.NullMarked;
