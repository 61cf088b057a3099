/**
 * Results of mutation tests as docs/contributing/proofs.md shows them.
 */
package io.github.ratelimit.mutation;
