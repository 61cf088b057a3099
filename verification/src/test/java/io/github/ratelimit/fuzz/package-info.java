/**
 * Properties of everything that parses, of inputs that are committed and of those that a
 * fuzzer finds.
 */
@org.jspecify.annotations.NullMarked
package io.github.ratelimit.fuzz;
