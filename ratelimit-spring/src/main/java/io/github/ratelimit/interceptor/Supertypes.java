package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Classes and interfaces that a class extends or implements, directly or through others,
 * and the methods of a class as written in source files.
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

	static @Nullable Method declaration(Class<?> type, Method method, Class<?> targetClass) {
		for (Method declared : type.getMethods()) {
			if (declared.getName().equals(method.getName())
					&& AopUtils.getMostSpecificMethod(declared, targetClass).equals(method)) {
				return declared;
			}
		}
		return null;
	}

	/**
	 * Return the method that a call executes, as written in a source file. The classes of
	 * JDK proxies, such as HTTP interfaces and repositories, and of lambdas are
	 * generated: their methods have no parameter names, so those of their interfaces are
	 * used.
	 * @param method the method as called, perhaps of an interface, perhaps a bridge
	 */
	static Method written(Method method, Class<?> targetClass) {
		if (!isGenerated(targetClass)) {
			return AopUtils.getMostSpecificMethod(method, targetClass);
		}
		Method declared = ClassUtils.getInterfaceMethodIfPossible(method, targetClass);
		return writtenTypes(targetClass).stream()
			.filter(declared.getDeclaringClass()::isAssignableFrom)
			.map((type) -> AopUtils.getMostSpecificMethod(declared, type))
			.findFirst()
			.orElse(declared);
	}

	/**
	 * Return the types that declare the methods of a class in source files: the class
	 * itself, or the interfaces of a generated one.
	 */
	static List<Class<?>> writtenTypes(Class<?> targetClass) {
		return isGenerated(targetClass) ? List.of(targetClass.getInterfaces())
				: List.of(ClassUtils.getUserClass(targetClass));
	}

	private static boolean isGenerated(Class<?> type) {
		return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
	}

}
