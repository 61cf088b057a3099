package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Methods as written in source files. The classes of JDK proxies, such as HTTP interfaces
 * and repositories, and of lambdas are generated: their methods have no parameter names,
 * so those of their interfaces are used.
 */
final class WrittenMethods {

	private WrittenMethods() {
	}

	/**
	 * Return the method that a call executes, as written.
	 * @param method the method as called, perhaps of an interface, perhaps a bridge
	 */
	static Method of(Method method, Class<?> targetClass) {
		if (!isGenerated(targetClass)) {
			return AopUtils.getMostSpecificMethod(method, targetClass);
		}
		Method declared = ClassUtils.getInterfaceMethodIfPossible(method, targetClass);
		return types(targetClass).stream()
			.filter(declared.getDeclaringClass()::isAssignableFrom)
			.map((type) -> AopUtils.getMostSpecificMethod(declared, type))
			.findFirst()
			.orElse(declared);
	}

	/**
	 * Return the types that declare the methods of a class in source files: the class
	 * itself, or the interfaces of a generated one.
	 */
	static List<Class<?>> types(Class<?> targetClass) {
		return isGenerated(targetClass) ? List.of(targetClass.getInterfaces())
				: List.of(ClassUtils.getUserClass(targetClass));
	}

	private static boolean isGenerated(Class<?> type) {
		return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
	}

}
