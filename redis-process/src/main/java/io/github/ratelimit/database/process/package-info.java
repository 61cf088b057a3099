/**
 * Real servers of databases, for tests and measurements.
 */
@NullMarked
package io.github.ratelimit.database.process;

import org.jspecify.annotations.NullMarked;
