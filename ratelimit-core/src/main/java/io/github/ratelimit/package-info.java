/**
 * Vocabulary of rate limiting: rules, limits, limiters and decisions. Plain Java.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;
