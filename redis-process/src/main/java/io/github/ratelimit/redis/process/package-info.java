/**
 * Real Redis servers for tests and for the sample: standalone, in a cluster or with
 * sentinels, started and stopped by the JVM that needs them. Its only dependency is
 * embedded-redis, since it is on the class paths of applications.
 */
@NullMarked
package io.github.ratelimit.redis.process;

import org.jspecify.annotations.NullMarked;
