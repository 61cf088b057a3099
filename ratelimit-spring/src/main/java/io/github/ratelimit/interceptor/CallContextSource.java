package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Source of the web request that the current thread works on.
 *
 * @since 0.1.0
 */
public interface CallContextSource {

	@Nullable CallContext current();

}
