package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * One call of a limited method, or one request: what expressions are evaluated on.
 *
 * @param target the object a method is called on, if any
 * @param arguments its arguments
 * @param context the web request it belongs to, if any
 */
record Call(@Nullable Object target, @Nullable Object[] arguments, @Nullable CallContext context) {

}
