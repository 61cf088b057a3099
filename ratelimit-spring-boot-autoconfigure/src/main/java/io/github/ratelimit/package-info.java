/**
 * The vocabulary of rate limiting: rules and limits, the limiter that asks, the
 * decision\n * that answers. Plain Java.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;
