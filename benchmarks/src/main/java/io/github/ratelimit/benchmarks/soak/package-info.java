/**
 * A limiter under load whose Redis fails in every way at random, beside an oracle.
 */
@NullMarked
package io.github.ratelimit.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
