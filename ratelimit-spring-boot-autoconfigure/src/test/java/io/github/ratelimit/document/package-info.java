/**
 * Documents that the tests write, from what the code says.
 */
package io.github.ratelimit.document;
