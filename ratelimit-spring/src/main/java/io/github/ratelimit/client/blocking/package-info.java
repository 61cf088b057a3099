/**
 * Limits of outgoing requests that block their thread.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.client.blocking;

import org.jspecify.annotations.NullMarked;
