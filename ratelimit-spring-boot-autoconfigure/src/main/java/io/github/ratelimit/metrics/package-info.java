/**
 * Meters of Micrometer. The only package that knows it.
 */
@NullMarked
package io.github.ratelimit.metrics;

import org.jspecify.annotations.NullMarked;
