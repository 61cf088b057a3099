/**
 * Overrides of rules at run time: their store, and the thread by which every instance
 * follows them.
 */
@NullMarked
package io.github.ratelimit.override;

import org.jspecify.annotations.NullMarked;
