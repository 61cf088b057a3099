/**
 * Limits of requests in Spring WebFlux.
 */
@NullMarked
package io.github.ratelimit.web.reactive;

import org.jspecify.annotations.NullMarked;
