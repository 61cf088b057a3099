/**
 * Pictures in the documents, drawn from test results.
 */
package io.github.ratelimit.picture;
