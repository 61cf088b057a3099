/**
 * What is measured: this library as applications get it, and its peers as theirs do.
 */
@NullMarked
package io.github.ratelimit.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
