/**
 * Health of the limiter. Each line of Spring Boot has a package of its own for the health
 * contributor, because the API moved.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;
