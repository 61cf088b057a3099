/**
 * Algorithms: one class each, pure arithmetic on a small state. Each has a script of the
 * same name in {@code META-INF/ratelimit}.
 * {@link io.github.ratelimit.algorithm.CountType} is the table of them.
 */
@NullMarked
package io.github.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
