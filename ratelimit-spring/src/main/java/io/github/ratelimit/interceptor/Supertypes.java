package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Classes and interfaces that a class extends or implements, directly or through others.
 */
final class Supertypes {

	private Supertypes() {
	}

	/**
	 * Return a type and all its supertypes; those reached in several ways occur as often.
	 */
	static List<Class<?>> withSelf(Class<?> type) {
		List<Class<?>> types = new ArrayList<>();
		collect(type, types);
		return types;
	}

	private static void collect(Class<?> type, List<Class<?>> types) {
		types.add(type);
		if (type.getSuperclass() != null) {
			collect(type.getSuperclass(), types);
		}
		for (Class<?> each : type.getInterfaces()) {
			collect(each, types);
		}
	}

	/**
	 * Return the method of an interface that a method implements.
	 */
	static @Nullable Method declaration(Class<?> type, Method method, Class<?> targetClass) {
		for (Method declared : type.getMethods()) {
			if (declared.getName().equals(method.getName())
					&& AopUtils.getMostSpecificMethod(declared, targetClass).equals(method)) {
				return declared;
			}
		}
		return null;
	}

}
