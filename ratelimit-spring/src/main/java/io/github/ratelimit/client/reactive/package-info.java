/**
 * Limits of outgoing requests that block no thread.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.client.reactive;

import org.jspecify.annotations.NullMarked;
