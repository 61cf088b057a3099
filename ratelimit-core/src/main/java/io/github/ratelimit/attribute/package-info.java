/**
 * Limits as annotations, properties and operators describe them, attribute by attribute.
 *
 * <p>
 * This package is internal to the library and may change in any release.
 */
@NullMarked
package io.github.ratelimit.attribute;

import org.jspecify.annotations.NullMarked;
