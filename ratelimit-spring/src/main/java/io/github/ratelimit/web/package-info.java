/**
 * Limits of web requests: rules by URL, response headers and problem details.
 */
@NullMarked
package io.github.ratelimit.web;

import org.jspecify.annotations.NullMarked;
