package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Variables of the path pattern that a rule for requests is defined with.
 *
 * @since 0.1.0
 */
public interface PathVariables {

	/**
	 * Return the names of the variables.
	 * @return the names, without those of other patterns
	 */
	Set<String> names();

	/**
	 * Return the value of a variable.
	 * @return the value, decoded, or {@code null} if the path of the request has none
	 */
	@Nullable String value(String name, CallContext request);

}
