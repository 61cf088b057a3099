/**
 * Errors of Spring for GraphQL, and the requests of its data fetchers.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.graphql;

import org.jspecify.annotations.NullMarked;
