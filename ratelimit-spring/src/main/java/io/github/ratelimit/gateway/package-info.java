/**
 * Filter of Spring Cloud Gateway.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link RateLimitGatewayFilterFactory}.
 */
@NullMarked
package io.github.ratelimit.gateway;

import org.jspecify.annotations.NullMarked;
