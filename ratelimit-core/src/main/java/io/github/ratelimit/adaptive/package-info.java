/**
 * Limits that follow the load of this instance: load signals, the threads that read them,
 * and the adjusted rules.
 *
 * <p>
 * This package is internal to the library and may change in any release, except
 * {@link LoadSignal}.
 */
@NullMarked
package io.github.ratelimit.adaptive;

import org.jspecify.annotations.NullMarked;
