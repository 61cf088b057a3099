/**
 * Exact integer arithmetic of rates.
 */
@NullMarked
package io.github.ratelimit.arithmetic;

import org.jspecify.annotations.NullMarked;
