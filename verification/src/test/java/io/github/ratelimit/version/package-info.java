/**
 * Instances of two versions of this library that share one Redis, as during a rolling
 * deployment.
 */
@NullMarked
package io.github.ratelimit.version;

import org.jspecify.annotations.NullMarked;
