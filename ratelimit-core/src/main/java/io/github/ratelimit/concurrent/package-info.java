/**
 * Completion stages, for all packages alike.
 */
@NullMarked
package io.github.ratelimit.concurrent;

import org.jspecify.annotations.NullMarked;
