/**
 * Contenders: this library and its peers, each configured as in an application.
 */
@NullMarked
package io.github.ratelimit.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
