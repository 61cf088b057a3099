/**
 * Limits of operations in the OpenAPI documents of springdoc.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.openapi;

import org.jspecify.annotations.NullMarked;
