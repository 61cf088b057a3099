/**
 * Limits of web requests: rules by URL, response headers and problem details.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link ClientAddress} and {@link RateLimitProblemCustomizer}.
 */
@NullMarked
package io.github.ratelimit.web;

import org.jspecify.annotations.NullMarked;
