/**
 * Documents generated from the code, and checks of all others against it.
 */
package io.github.ratelimit.document;
