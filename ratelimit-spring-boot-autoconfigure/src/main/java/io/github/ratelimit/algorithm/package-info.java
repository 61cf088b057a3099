/**
 * How calls are counted: one class per algorithm, pure arithmetic on a small state. Each
 * has a twin of the same name in {@code META-INF/ratelimit}, written in Lua.
 */
@NullMarked
package io.github.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
