/**
 * Filter of Spring Cloud Gateway Server MVC.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link RateLimitFilterFunctions}.
 */
@NullMarked
package io.github.ratelimit.gateway.mvc;

import org.jspecify.annotations.NullMarked;
