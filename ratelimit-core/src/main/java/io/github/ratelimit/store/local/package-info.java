/**
 * Store that counts inside this process.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.store.local;

import org.jspecify.annotations.NullMarked;
