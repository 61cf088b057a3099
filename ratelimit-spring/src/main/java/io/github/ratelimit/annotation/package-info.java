/**
 * Annotation that limits a method.
 */
@NullMarked
package io.github.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;
