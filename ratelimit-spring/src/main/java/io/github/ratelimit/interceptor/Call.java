package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Call of a limited method, or a request, on which expressions are evaluated.
 *
 * @param target the object a method is called on, if any
 * @param arguments its arguments
 * @param context the web request it belongs to, if any
 */
record Call(@Nullable Object target, @Nullable Object[] arguments, @Nullable CallContext context) {

}
