package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Verifier of all beans at startup. It compiles their limited methods, to report mistakes
 * early, and refuses annotations on methods that a proxy cannot intercept.
 *
 * @since 0.1.0
 */
public record LimitedBeanVerifier(LimitedMethodSource methods,
		BiFunction<String, Class<?>, @Nullable RateLimitConfigurationException> ofBean,
		Consumer<RateLimitConfigurationException> mistakes) {

	public void verify(ConfigurableListableBeanFactory beans) {
		Map<String, Class<?>> candidates = new LinkedHashMap<>();
		for (Map.Entry<String, Class<?>> bean : types(beans).entrySet()) {
			if (this.methods.finder().isCandidate(bean.getValue())) {
				candidates.put(bean.getKey(), bean.getValue());
			}
		}
		for (Class<?> type : candidates.values()) {
			announce(type);
		}
		for (Map.Entry<String, Class<?>> bean : candidates.entrySet()) {
			verify(bean.getKey(), bean.getValue());
		}
	}

	static Map<String, Class<?>> types(ConfigurableListableBeanFactory beans) {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = type(beans, name);
			if (type != null) {
				types.put(name, ClassUtils.getUserClass(type));
			}
		}
		return types;
	}

	private static @Nullable Class<?> type(ConfigurableListableBeanFactory beans, String name) {
		try {
			return AutoProxyUtils.determineTargetClass(beans, name);
		}
		catch (RuntimeException | LinkageError ex) {
			return null; // type not known yet: its first call compiles it
		}
	}

	private void announce(Class<?> type) {
		for (Method method : written(type)) {
			if (unreachable(method) != null) {
				this.methods.announceUnreachable(method);
			}
		}
		for (Method method : limited(type)) {
			this.methods.announce(method, type);
		}
	}

	private void verify(String bean, Class<?> type) {
		RateLimitConfigurationException mistake = this.ofBean.apply(bean, type);
		if (mistake != null && !limited(type).isEmpty()) {
			this.mistakes.accept(mistake);
		}
		refuseWithoutEffect(type);
		for (Method method : written(type)) {
			refuseUnreachable(method);
		}
		for (Method method : limited(type)) {
			refuseFinalOfLimitedClass(method, type);
			compile(method, type);
		}
	}

	private void refuseWithoutEffect(Class<?> type) {
		for (Class<?> each : Supertypes.withSelf(type)) {
			if ((each == type || each.isInterface()) && RateLimitedFinder.isWrittenOn(each) && !limitsAny(each, type)) {
				this.mistakes.accept(withoutEffect(each));
			}
		}
	}

	/**
	 * Return whether one of the methods to which the annotation of a class or of one of
	 * its interfaces could apply is limited.
	 */
	private boolean limitsAny(Class<?> annotated, Class<?> type) {
		return !annotated.isInterface() ? !limited(type).isEmpty() : Arrays.stream(annotated.getMethods())
			.anyMatch((method) -> !this.methods.finder().find(method, type).isEmpty());
	}

	private static RateLimitConfigurationException withoutEffect(Class<?> type) {
		boolean ofInterface = type.isInterface();
		return ElementNames.invalid(type,
				"it limits no method. "
						+ (ofInterface ? "On an interface it limits the methods that the interface declares"
								: "On a class it limits public methods")
						+ ", except those that Spring calls: @Bean methods and methods of Spring's interfaces, for "
						+ "example.",
				"Annotate the methods that you want to limit, or "
						+ (ofInterface ? "the classes that implement the interface." : "make them public."));
	}

	private static List<Method> written(Class<?> type) {
		List<Method> written = new ArrayList<>();
		for (Class<?> each : Supertypes.withSelf(type)) {
			for (Method method : ReflectionUtils.getDeclaredMethods(each)) {
				if (!method.isSynthetic() && RateLimitedFinder.isWrittenOn(method)) {
					written.add(method);
				}
			}
		}
		return written;
	}

	private Set<Method> limited(Class<?> type) {
		return MethodIntrospector.selectMethods(type,
				(ReflectionUtils.MethodFilter) (method) -> !this.methods.finder().find(method, type).isEmpty());
	}

	private void compile(Method method, Class<?> type) {
		try {
			this.methods.get(method, type);
		}
		catch (RateLimitConfigurationException ex) {
			this.mistakes.accept(ex);
		}
	}

	/**
	 * Refuse a final method of an annotated class, unless it is inherited from a class
	 * without annotations and implements no annotated method.
	 */
	private void refuseFinalOfLimitedClass(Method method, Class<?> type) {
		boolean implementsLimited = this.methods.finder()
			.find(method, type)
			.stream()
			.anyMatch((annotation) -> annotation.getSource() instanceof Method);
		if ((implementsLimited || !this.methods.finder().find(method, method.getDeclaringClass()).isEmpty())
				&& Modifier.isFinal(method.getModifiers())) {
			refuseUnreachable(method);
		}
	}

	private void refuseUnreachable(Method method) {
		RateLimitConfigurationException mistake = unreachable(method);
		if (mistake != null) {
			this.mistakes.accept(mistake);
		}
	}

	/**
	 * Return the mistake of an annotated method whose calls no proxy can limit.
	 * @return {@code null} if a proxy can
	 */
	private static @Nullable RateLimitConfigurationException unreachable(Method method) {
		if (SpringCallbacks.createsBean(method)) {
			return ElementNames.invalid(method,
					"the method is a @Bean method, which Spring calls to create the bean, so no call of the bean would be "
							+ "limited.",
					"Remove it, and annotate the methods of the bean's class or interface.");
		}
		if (ReflectionUtils.isObjectMethod(method)) {
			return ElementNames.invalid(method,
					"methods of Object are never limited, since logs, collections and debuggers call them.",
					"Remove it, and annotate the methods that you want to limit.");
		}
		int modifiers = method.getModifiers();
		if ((modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) == 0) {
			return null;
		}
		String modifier = Modifier.isPrivate(modifiers) ? "private" : Modifier.isStatic(modifiers) ? "static" : "final";
		return ElementNames.invalid(method,
				"the method is " + modifier + ", so no proxy sees its calls and it would not be limited.",
				"Make it public and not " + modifier
						+ ", or annotate the public method that calls it from another bean.");
	}

}
