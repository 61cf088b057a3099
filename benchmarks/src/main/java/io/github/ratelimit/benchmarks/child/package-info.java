/**
 * What is started as a process of its own, to be measured from outside.
 */
@NullMarked
package io.github.ratelimit.benchmarks.child;

import org.jspecify.annotations.NullMarked;
