/**
 * Soak test: every feature at once, in three instances, while their store fails. An
 * oracle knows what each call could have seen.
 */
@NullMarked
package io.github.ratelimit.soak;

import org.jspecify.annotations.NullMarked;
