/**
 * What operators say of rules at run time: where it is kept, and how every instance
 * learns of it.
 */
@NullMarked
package io.github.ratelimit.override;

import org.jspecify.annotations.NullMarked;
