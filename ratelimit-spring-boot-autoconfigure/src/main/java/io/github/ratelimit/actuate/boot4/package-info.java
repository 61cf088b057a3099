/**
 * Health contributor for Spring Boot 4.
 */
@NullMarked
package io.github.ratelimit.actuate.boot4;

import org.jspecify.annotations.NullMarked;
