/**
 * Health contributor for Spring Boot 3.
 */
@NullMarked
package io.github.ratelimit.actuate.boot3;

import org.jspecify.annotations.NullMarked;
