/**
 * Limits of outgoing requests, and the limits of others that their answers announce.
 */
@NullMarked
package io.github.ratelimit.client;

import org.jspecify.annotations.NullMarked;
