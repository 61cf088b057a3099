/**
 * A real redis-server for tests and for the sample, alone, in a cluster or with
 * sentinels, started and stopped by the JVM that needs it.
 */
@NullMarked
package io.github.ratelimit.redis.process;

import org.jspecify.annotations.NullMarked;
