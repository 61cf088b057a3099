package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;

import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Mistake of a bean with limited methods whose class is final, so that Spring cannot
 * create a proxy for it.
 */
final class FinalClass {

	private FinalClass() {
	}

	/**
	 * Return whether a bean without a proxy is created, since mistakes are only logged.
	 */
	static boolean runsUnlimited(Class<?> type, Environment environment) {
		return Verification.WARN.name().equalsIgnoreCase(environment.getProperty("ratelimit.verification"))
				&& isUnproxyable(type, environment);
	}

	/**
	 * Return whether no proxy can be created. Lambdas and proxies need only interface
	 * proxies, as do classes with interfaces if {@code proxy-target-class} is false.
	 */
	private static boolean isUnproxyable(Class<?> type, Environment environment) {
		boolean proxyTargetClass = environment.getProperty(ProxyCreatorRegistrar.PROXY_TARGET_CLASS, Boolean.class,
				true);
		return Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type)
				&& (proxyTargetClass || ClassUtils.getAllInterfacesForClass(type).length == 0);
	}

	static RateLimitConfigurationException mistake(Class<?> type) {
		return new RateLimitConfigurationException(
				"Invalid @RateLimited in " + type.getName() + ": the class is "
						+ (type.isRecord() ? "a record, and so " : "")
						+ "final, and Spring limits methods by a proxy that extends it.",
				(type.isRecord() ? "Write an ordinary class instead of a record"
						: "Make the class non-final (open in Kotlin)")
						+ ". Or let it implement an interface that has the methods, and set "
						+ "spring.aop.proxy-target-class to false: other beans then have to inject the interface.");
	}

}
