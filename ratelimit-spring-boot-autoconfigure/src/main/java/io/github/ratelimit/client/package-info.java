/**
 * Limits of outgoing requests, and what the answers say about the limits of others.
 */
@NullMarked
package io.github.ratelimit.client;

import org.jspecify.annotations.NullMarked;
