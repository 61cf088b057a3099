/**
 * What can be run: one class per lane, each of which prints a table with this library,
 * its peers and the floor side by side.
 */
@NullMarked
package io.github.ratelimit.benchmarks.lane;

import org.jspecify.annotations.NullMarked;
