/**
 * Rules, the limiters that apply them to calls, and the policy for a store that cannot
 * answer.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
