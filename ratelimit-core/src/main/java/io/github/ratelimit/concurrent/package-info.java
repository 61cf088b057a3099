/**
 * Completion stages, for all packages alike.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.concurrent;

import org.jspecify.annotations.NullMarked;
