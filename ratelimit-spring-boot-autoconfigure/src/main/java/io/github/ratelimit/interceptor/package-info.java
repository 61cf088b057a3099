/**
 * From an annotated method to a question to the limiter: operations compiled once, keys\n
 * * evaluated per call.
 */
@NullMarked
package io.github.ratelimit.interceptor;

import org.jspecify.annotations.NullMarked;
