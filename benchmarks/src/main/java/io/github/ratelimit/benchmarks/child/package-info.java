/**
 * Applications that run as separate processes, to be measured from outside.
 */
@NullMarked
package io.github.ratelimit.benchmarks.child;

import org.jspecify.annotations.NullMarked;
