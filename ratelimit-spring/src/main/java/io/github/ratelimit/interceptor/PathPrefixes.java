package io.github.ratelimit.interceptor;

import java.util.Set;

/**
 * Prefixes that the application puts before the paths of its handler methods.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PathPrefixes {

	/**
	 * Return the variables in the prefixes of a handler.
	 * @param handler the class of the handler
	 * @return their names
	 */
	Set<String> variables(Class<?> handler);

}
