/**
 * Clients of Spring Boot 3.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.client.boot3;

import org.jspecify.annotations.NullMarked;
