/**
 * Results of mutation tests as docs/proofs.md shows them.
 */
package io.github.ratelimit.mutation;
