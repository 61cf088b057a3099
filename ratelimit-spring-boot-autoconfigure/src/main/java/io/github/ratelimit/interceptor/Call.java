package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * One call of a limited method: what its expressions are evaluated on.
 *
 * @param method the method, of the target's class
 * @param target the object it is called on
 * @param arguments its arguments
 * @param context the web request it belongs to, if any
 */
record Call(Method method, @Nullable Object target, @Nullable Object[] arguments, @Nullable CallContext context) {

}
