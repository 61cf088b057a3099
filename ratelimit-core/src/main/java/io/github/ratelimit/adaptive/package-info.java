/**
 * Limits that follow the load of this node: load signals, the threads that read them, and
 * the adjusted rules.
 */
@NullMarked
package io.github.ratelimit.adaptive;

import org.jspecify.annotations.NullMarked;
