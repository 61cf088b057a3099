/**
 * Limits as annotations, properties and operators describe them, attribute by attribute.
 */
@NullMarked
package io.github.ratelimit.attribute;

import org.jspecify.annotations.NullMarked;
