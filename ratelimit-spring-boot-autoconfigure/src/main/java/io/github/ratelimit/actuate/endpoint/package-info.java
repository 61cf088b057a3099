/**
 * Endpoint {@code ratelimits}: rules in force, the state of keys, and changes at run
 * time.
 */
@NullMarked
package io.github.ratelimit.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
