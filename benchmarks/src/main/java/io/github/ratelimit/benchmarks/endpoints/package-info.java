/**
 * Application whose endpoints are compared with each other, as a separate process.
 */
@NullMarked
package io.github.ratelimit.benchmarks.endpoints;

import org.jspecify.annotations.NullMarked;
