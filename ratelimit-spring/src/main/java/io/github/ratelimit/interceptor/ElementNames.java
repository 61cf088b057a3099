package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/** Names of methods and classes in messages, and the rule names derived from them. */
final class ElementNames {

	private ElementNames() {
	}

	/**
	 * Return {@code ReplyService.reply(String, String)} or {@code ReplyService}, for an
	 * anonymous class {@code ReplyService$1}.
	 */
	static String describe(Object element) {
		if (element instanceof Method method) {
			return describe(method.getDeclaringClass()) + '.' + method.getName()
					+ Arrays.stream(method.getParameterTypes())
						.map(Class::getSimpleName)
						.collect(Collectors.joining(", ", "(", ")"));
		}
		return (element instanceof Class<?> type) ? describe(type) : element.toString();
	}

	private static String describe(Class<?> type) {
		return type.isAnonymousClass() ? type.getName().substring(type.getPackageName().length() + 1)
				: simpleName(type);
	}

	static RateLimitConfigurationException invalid(Object element, String reason, String action) {
		return new RateLimitConfigurationException("Invalid @RateLimited on " + describe(element) + ": " + reason,
				action);
	}

	/** Describe two elements, with their packages if nothing else distinguishes them. */
	static String describeBoth(Object one, Object other, String between) {
		return describe(one).equals(describe(other))
				? packageName(one) + describe(one) + between + packageName(other) + describe(other)
				: describe(one) + between + describe(other);
	}

	private static String packageName(Object element) {
		Class<?> type = type(element);
		return type.getName().substring(0, type.getName().length() - describe(type).length());
	}

	/**
	 * Return {@code reply-service-reply} or {@code reply-service}.
	 * @return {@code null} if a name has other letters than those of rules, or none, as
	 * that of an anonymous class
	 */
	static @Nullable String ruleName(Object element) {
		if (element instanceof Method method) {
			String type = ruleName(method.getDeclaringClass());
			String name = ruleName(method.getName());
			return (type != null && name != null) ? type + '-' + name : null;
		}
		return ruleName(simpleName((Class<?>) element));
	}

	static boolean isAnonymous(Object element) {
		return type(element).isAnonymousClass();
	}

	private static Class<?> type(Object element) {
		return (element instanceof Method method) ? method.getDeclaringClass() : (Class<?>) element;
	}

	private static @Nullable String ruleName(String identifier) {
		boolean isAscii = identifier.chars().allMatch((each) -> each < 128);
		return (isAscii && identifier.chars().anyMatch(Character::isLetterOrDigit)) ? KebabCase.of(identifier) : null;
	}

	private static String simpleName(Class<?> type) {
		return ClassUtils.getUserClass(type).getSimpleName();
	}

}
