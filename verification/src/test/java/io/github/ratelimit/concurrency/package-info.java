/**
 * Checks of concurrent code by Lincheck.
 */
@org.jspecify.annotations.NullMarked
package io.github.ratelimit.concurrency;
