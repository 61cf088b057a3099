/**
 * Overrides of rules and single keys at run time: their store, and the thread by which
 * every instance follows them.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.override;

import org.jspecify.annotations.NullMarked;
