/**
 * Limits of outgoing requests that block their thread.
 */
@NullMarked
package io.github.ratelimit.client.blocking;

import org.jspecify.annotations.NullMarked;
