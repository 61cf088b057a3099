/**
 * Counters in a table of a relational database, which instances share.
 *
 * <p>
 * A row has the counts of one key under one rule. A decision is a transaction of its own:
 * it locks the rows of its call, lets the algorithms decide, and writes what has changed.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.store.jdbc;

import org.jspecify.annotations.NullMarked;
