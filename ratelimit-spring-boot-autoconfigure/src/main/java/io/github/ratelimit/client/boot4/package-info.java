/**
 * Clients of Spring Boot 4.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.client.boot4;

import org.jspecify.annotations.NullMarked;
