package io.github.ratelimit.interceptor;

import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Variables of the path pattern that a rule for requests is defined with.
 *
 * @since 0.1.0
 */
public interface PathVariables {

	Set<String> names();

	@Nullable String value(String name, CallContext request);

	/**
	 * Return the names of the variables in a valid pattern.
	 * @return {@code tenant}, {@code id} and {@code rest} for
	 * {@code /{tenant}/{id:\d{3}}/{*rest}}
	 */
	static Set<String> namesIn(String pattern) {
		Set<String> names = new LinkedHashSet<>();
		int depth = 0;
		int from = 0;
		for (int i = 0; i < pattern.length(); i++) {
			char c = pattern.charAt(i);
			if (c == '{' && depth++ == 0) {
				from = i + 1;
			}
			else if (c == '}' && depth > 0 && --depth == 0) {
				names.add(nameOf(pattern.substring(from, i)));
			}
		}
		return names;
	}

	private static String nameOf(String variable) {
		int colon = variable.indexOf(':');
		String name = (colon < 0) ? variable : variable.substring(0, colon);
		return name.startsWith("*") ? name.substring(1) : name;
	}

}
