package io.github.ratelimit.engine;

/**
 * Calls under plans whose store is Redis.
 */
class PlansOnRedisTests extends PlansTests {

}
