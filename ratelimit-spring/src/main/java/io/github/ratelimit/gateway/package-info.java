/**
 * Filter of Spring Cloud Gateway.
 */
@NullMarked
package io.github.ratelimit.gateway;

import org.jspecify.annotations.NullMarked;
