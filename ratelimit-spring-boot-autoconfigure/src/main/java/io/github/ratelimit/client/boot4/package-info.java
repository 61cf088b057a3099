/**
 * Clients of Spring Boot 4.
 */
@NullMarked
package io.github.ratelimit.client.boot4;

import org.jspecify.annotations.NullMarked;
