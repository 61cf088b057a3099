package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;

/**
 * Web request for which a framework calls a method, of whose result it makes the
 * response.
 *
 * @since 0.1.0
 */
public interface HandledRequest extends CallContext {

	/**
	 * Return whether the framework calls a method to handle this request, and makes the
	 * response of its result.
	 * @param method a method of the target's class
	 * @return {@code false} if another bean may call it while the request is handled
	 */
	boolean isHandledBy(Method method);

	/**
	 * End a call when the response of this request is complete.
	 * @return {@code false} if the response is not followed or is complete already, so
	 * the call ends with its method
	 */
	boolean endWithResponse(CallEnd end);

}
