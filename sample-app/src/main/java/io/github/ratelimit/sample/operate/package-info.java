/**
 * The page "Operate" on the management port, and what only this sample needs there.
 */
@NullMarked
package io.github.ratelimit.sample.operate;

import org.jspecify.annotations.NullMarked;
