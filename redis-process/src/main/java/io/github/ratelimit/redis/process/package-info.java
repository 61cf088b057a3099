/**
 * Real Redis servers for tests and for the sample: standalone, in a cluster or with
 * sentinels, started and stopped by the JVM that needs them.
 */
@NullMarked
package io.github.ratelimit.redis.process;

import org.jspecify.annotations.NullMarked;
