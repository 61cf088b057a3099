/**
 * Interception of annotated methods. Operations are compiled once, keys are evaluated per
 * call.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.interceptor;

import org.jspecify.annotations.NullMarked;
