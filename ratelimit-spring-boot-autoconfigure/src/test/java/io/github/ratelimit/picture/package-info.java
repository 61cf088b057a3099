/**
 * Pictures in the documents, drawn from what the tests see.
 */
package io.github.ratelimit.picture;
