/**
 * What a web request adds to a decision: who asks, and how the answer tells.
 */
@NullMarked
package io.github.ratelimit.web;

import org.jspecify.annotations.NullMarked;
