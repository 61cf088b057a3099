/**
 * Limits of outgoing requests, and the limits of others that their answers announce.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.client;

import org.jspecify.annotations.NullMarked;
