/**
 * Limits of outgoing requests that block no thread.
 */
@NullMarked
package io.github.ratelimit.client.reactive;

import org.jspecify.annotations.NullMarked;
