/**
 * Session: lanes run one after the other, the load of the machine beside each result, and
 * the document that the results are written to.
 */
@NullMarked
package io.github.ratelimit.benchmarks.session;

import org.jspecify.annotations.NullMarked;
