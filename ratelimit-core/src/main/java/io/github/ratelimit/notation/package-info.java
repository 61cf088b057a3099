/**
 * Values and attributes as users write them.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.notation;

import org.jspecify.annotations.NullMarked;
