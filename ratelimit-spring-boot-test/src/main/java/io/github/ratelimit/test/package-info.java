/**
 * Tests of applications that limit calls: a clock that tests set, counters that are empty
 * before each test method, and assertions.
 */
@NullMarked
package io.github.ratelimit.test;

import org.jspecify.annotations.NullMarked;
