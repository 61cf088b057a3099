/**
 * Benchmarks to run: one class per lane, each of which prints a table that compares this
 * library, its peers and the floor.
 */
@NullMarked
package io.github.ratelimit.benchmarks.lane;

import org.jspecify.annotations.NullMarked;
