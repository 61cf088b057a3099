/**
 * Interception of annotated methods. Operations are compiled once, keys are evaluated per
 * call.
 */
@NullMarked
package io.github.ratelimit.interceptor;

import org.jspecify.annotations.NullMarked;
