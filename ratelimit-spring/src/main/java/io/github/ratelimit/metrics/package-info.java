/**
 * Meters of Micrometer. No other package depends on it.
 */
@NullMarked
package io.github.ratelimit.metrics;

import org.jspecify.annotations.NullMarked;
