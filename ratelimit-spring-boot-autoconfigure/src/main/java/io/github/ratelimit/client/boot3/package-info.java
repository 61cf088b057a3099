/**
 * Clients of Spring Boot 3.
 */
@NullMarked
package io.github.ratelimit.client.boot3;

import org.jspecify.annotations.NullMarked;
