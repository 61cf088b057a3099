/**
 * Store that counts inside this process.
 */
@NullMarked
package io.github.ratelimit.store.local;

import org.jspecify.annotations.NullMarked;
