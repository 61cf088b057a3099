/**
 * How the limiter is, whatever asks for it. What shows it in Spring Boot is in a package
 * of its own for each line, since the types moved.
 */
@NullMarked
package io.github.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;
