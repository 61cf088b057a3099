/**
 * Algorithms: one class each, pure arithmetic on a small state. Each has a script of the
 * same name in {@code META-INF/ratelimit}.
 * {@link io.github.ratelimit.algorithm.CountType} is the table of them.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
