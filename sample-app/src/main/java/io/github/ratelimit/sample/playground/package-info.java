/**
 * The page at {@code /}: two rules to change, traffic for them, and their decisions.
 */
@NullMarked
package io.github.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;
