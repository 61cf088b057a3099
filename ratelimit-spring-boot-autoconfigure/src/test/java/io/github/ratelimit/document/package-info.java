/**
 * Documents: those that tests write, from what the code says, and whether the others
 * hold.
 */
package io.github.ratelimit.document;
