package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Knows the web request that the current thread is working on.
 *
 * @since 0.1.0
 */
public interface CallContextSource {

	/**
	 * The current request.
	 * @return the request, or {@code null} if there is none
	 */
	@Nullable CallContext current();

}
