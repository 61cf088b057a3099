/**
 * Measurement: contenders take turns in rounds, and a table shows medians.
 */
@NullMarked
package io.github.ratelimit.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
