/**
 * Endpoint {@code ratelimits}: rules in force, the state of keys, and changes at run
 * time.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
