/**
 * Rules, the limiters that apply them to calls, and the policy for a store that cannot
 * answer.
 */
@NullMarked
package io.github.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
