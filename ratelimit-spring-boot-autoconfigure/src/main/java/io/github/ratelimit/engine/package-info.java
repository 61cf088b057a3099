/**
 * The limiter: rules from every source in one registry, one question to the store, the
 * policy\n * for a store that cannot answer.
 */
@NullMarked
package io.github.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
