/**
 * Values and attributes as users write them.
 */
@NullMarked
package io.github.ratelimit.notation;

import org.jspecify.annotations.NullMarked;
