/**
 * Events of Micrometer's observations.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.observation;

import org.jspecify.annotations.NullMarked;
