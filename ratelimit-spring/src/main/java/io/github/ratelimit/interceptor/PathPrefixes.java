package io.github.ratelimit.interceptor;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prefixes that the application puts before the paths of its handler methods.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PathPrefixes {

	Set<String> variables(Class<?> handler);

	/**
	 * Create prefixes from those of handler mappings, which are looked up when they are
	 * needed.
	 */
	static PathPrefixes of(Supplier<Stream<Map<String, Predicate<Class<?>>>>> mappings) {
		return (handler) -> mappings.get()
			.flatMap((prefixes) -> prefixes.entrySet().stream())
			.filter((prefix) -> prefix.getValue().test(handler))
			.flatMap((prefix) -> PathVariables.namesIn(prefix.getKey()).stream())
			.collect(Collectors.toUnmodifiableSet());
	}

}
