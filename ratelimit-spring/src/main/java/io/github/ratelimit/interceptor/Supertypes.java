package io.github.ratelimit.interceptor;

import java.util.stream.Stream;

/**
 * Classes and interfaces that a class extends or implements, directly or through others.
 */
final class Supertypes {

	private Supertypes() {
	}

	/**
	 * Return a type and all its supertypes; those reached in several ways occur as often.
	 */
	static Stream<Class<?>> withSelf(Class<?> type) {
		Stream<Class<?>> direct = Stream.concat(Stream.ofNullable(type.getSuperclass()),
				Stream.of(type.getInterfaces()));
		return Stream.concat(Stream.of(type), direct.flatMap(Supertypes::withSelf));
	}

}
