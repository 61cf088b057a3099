/**
 * Events of Micrometer's observations.
 */
@NullMarked
package io.github.ratelimit.observation;

import org.jspecify.annotations.NullMarked;
