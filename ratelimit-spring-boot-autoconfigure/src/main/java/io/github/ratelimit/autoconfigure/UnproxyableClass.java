package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.interceptor.RateLimitPointcut;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Mistake of a bean with limited methods whose class cannot be extended, so that Spring
 * cannot create a proxy for it.
 */
final class UnproxyableClass {

	private UnproxyableClass() {
	}

	/**
	 * Return the mistake of a class that a proxy has to extend. Lambdas and proxies need
	 * only interface proxies, as do classes with interfaces if {@code proxy-target-class}
	 * is false.
	 */
	static @Nullable RateLimitConfigurationException ofUnlimited(Class<?> type, Environment environment) {
		boolean isExtended = !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type)
				&& (environment.getProperty(AnnotationConfiguration.ProxyCreatorRegistrar.PROXY_TARGET_CLASS,
						Boolean.class, true) || ClassUtils.getAllInterfacesForClass(type).length == 0);
		return isExtended ? mistake(type) : null;
	}

	/**
	 * Return the mistake of the class of the bean whose creation failed, the innermost
	 * one.
	 */
	static @Nullable RateLimitConfigurationException ofFailedBean(Throwable failure, @Nullable BeanFactory beans) {
		String bean = null;
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof BeanCreationException creation && creation.getBeanName() != null) {
				bean = creation.getBeanName();
			}
		}
		Class<?> type = (bean != null && beans instanceof ConfigurableListableBeanFactory all
				&& all.containsBeanDefinition(bean)) ? AutoProxyUtils.determineTargetClass(all, bean) : null;
		return (type != null && new RateLimitPointcut().getClassFilter().matches(type)) ? mistake(type) : null;
	}

	private static @Nullable RateLimitConfigurationException mistake(Class<?> type) {
		if (type.isRecord()) {
			return mistake(type, "is a record, and so final", "Write an ordinary class instead of a record");
		}
		if (Enum.class.isAssignableFrom(type)) {
			return mistake(type.isEnum() ? type : type.getSuperclass(), "is an enum, which cannot be extended",
					"Write an ordinary class instead of an enum");
		}
		if (Modifier.isFinal(type.getModifiers())) {
			return mistake(type, "is final", "Make the class non-final (open in Kotlin)");
		}
		if (type.isSealed()) {
			return mistake(type, "is sealed", "Remove sealed and permits from the class (write open in Kotlin)");
		}
		Constructor<?>[] constructors = type.getDeclaredConstructors();
		if (constructors.length > 0
				&& Arrays.stream(constructors).allMatch((each) -> Modifier.isPrivate(each.getModifiers()))) {
			return mistake(type, "has only private constructors", "Add a constructor that is not private");
		}
		return null;
	}

	private static RateLimitConfigurationException mistake(Class<?> type, String reason, String remedy) {
		return new RateLimitConfigurationException(
				"Invalid @RateLimited in " + type.getName() + ": the class " + reason
						+ ", and Spring limits methods by a proxy that extends it.",
				remedy + ". Or let it implement an interface that has the methods and is not sealed, and set "
						+ "spring.aop.proxy-target-class to false: other beans then have to inject the interface.");
	}

}
