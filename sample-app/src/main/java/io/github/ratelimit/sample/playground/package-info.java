/**
 * The page at {@code /}: rules to play with, traffic to send them, and what they decide.
 */
@NullMarked
package io.github.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;
