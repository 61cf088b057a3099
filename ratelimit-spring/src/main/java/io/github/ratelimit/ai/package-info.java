/**
 * Limits of chat clients and tools of Spring AI.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link RateLimitAdvisor}.
 */
@NullMarked
package io.github.ratelimit.ai;

import org.jspecify.annotations.NullMarked;
