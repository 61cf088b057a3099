/**
 * Limits of gRPC calls.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.grpc;

import org.jspecify.annotations.NullMarked;
