/**
 * The way of a plain call through this library, counted in an application of its own.
 */
@NullMarked
package io.github.ratelimit.walk;

import org.jspecify.annotations.NullMarked;
