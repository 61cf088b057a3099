/**
 * Auto-configuration for Spring Boot.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link RateLimitDataSource}.
 */
@NullMarked
package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
