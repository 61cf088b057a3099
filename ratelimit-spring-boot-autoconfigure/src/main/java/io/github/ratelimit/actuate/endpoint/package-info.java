/**
 * The endpoint {@code ratelimits}: rules as in force, where a key stands, and changes at
 * run time.
 */
@NullMarked
package io.github.ratelimit.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
