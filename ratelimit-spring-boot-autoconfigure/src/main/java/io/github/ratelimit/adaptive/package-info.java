/**
 * Limits that follow the load of this node: signals, the threads that read them, and
 * rules with the {@code max} of the moment.
 */
@NullMarked
package io.github.ratelimit.adaptive;

import org.jspecify.annotations.NullMarked;
