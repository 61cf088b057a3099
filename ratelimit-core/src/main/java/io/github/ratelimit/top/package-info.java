/**
 * Top talkers: the keys with most denials of each rule, of all instances, in bounded
 * memory.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.top;

import org.jspecify.annotations.NullMarked;
