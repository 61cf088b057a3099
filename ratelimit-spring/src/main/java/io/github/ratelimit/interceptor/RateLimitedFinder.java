package io.github.ratelimit.interceptor;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.annotation.RateLimited;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finder of the annotations that apply to a method: its own, else those of the method it
 * overrides or implements, else those of its class, else those of its interfaces. Methods
 * that Spring calls for its own purposes have only their own, and those that create beans
 * have none.
 */
final class RateLimitedFinder {

	private final Map<Class<?>, Boolean> annotated = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, List<MergedAnnotation<RateLimited>>> found = new ConcurrentHashMap<>();

	/**
	 * Return whether a class may have limited methods: it, one of its methods, or a
	 * supertype is annotated. Every bean is checked, so nothing about their methods is
	 * cached.
	 */
	boolean isCandidate(@Nullable Class<?> type) {
		if (type == null || !AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
			return false;
		}
		if (this.annotated.computeIfAbsent(type, RateLimitedFinder::isAnnotated) || isCandidate(type.getSuperclass())) {
			return true;
		}
		for (Class<?> each : type.getInterfaces()) {
			if (isCandidate(each)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isAnnotated(Class<?> type) {
		try {
			return isWrittenOn(type) || isWrittenOnAny(type.getDeclaredMethods());
		}
		catch (LinkageError ex) {
			return true; // reading its methods reports what is missing
		}
	}

	private static boolean isWrittenOnAny(Method[] methods) {
		for (Method method : methods) {
			if (isWrittenOn(method)) {
				return true;
			}
		}
		return false;
	}

	List<MergedAnnotation<RateLimited>> find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		List<MergedAnnotation<RateLimited>> known = this.found.get(key);
		if (known == null) {
			known = search(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
			this.found.put(key, known);
		}
		return known;
	}

	private static List<MergedAnnotation<RateLimited>> search(Method method, Class<?> targetClass) {
		if (ReflectionUtils.isObjectMethod(method) || SpringCallbacks.createsBean(method)) {
			return List.of();
		}
		List<MergedAnnotation<RateLimited>> own = nearest(ofMethod(method, targetClass));
		if (!own.isEmpty() || !Modifier.isPublic(method.getModifiers()) || Modifier.isStatic(method.getModifiers())
				|| SpringCallbacks.includes(method, targetClass)) {
			return own;
		}
		List<MergedAnnotation<RateLimited>> ofTypes = new ArrayList<>();
		for (MergedAnnotation<RateLimited> annotation : annotations(ClassUtils.getUserClass(targetClass))) {
			if (declares((Class<?>) Objects.requireNonNull(annotation.getSource()), method, targetClass)) {
				ofTypes.add(annotation);
			}
		}
		return nearest(ofTypes);
	}

	/**
	 * Return the annotations of a method and of those that it overrides or implements. A
	 * class may implement an interface by a method of its superclass, which does not know
	 * the interface.
	 */
	private static List<MergedAnnotation<RateLimited>> ofMethod(Method method, Class<?> targetClass) {
		List<MergedAnnotation<RateLimited>> all = new ArrayList<>(annotations(method));
		Class<?> type = ClassUtils.getUserClass(targetClass);
		if (method.getDeclaringClass() != type && !isWrittenOn(method)) {
			Set<Method> declarations = new LinkedHashSet<>();
			for (Class<?> each : Supertypes.withSelf(type)) {
				Method declaration = each.isInterface() ? Supertypes.declaration(each, method, targetClass) : null;
				if (declaration != null && declarations.add(declaration)) {
					all.addAll(writtenOn(declaration));
				}
			}
		}
		return all;
	}

	private static List<MergedAnnotation<RateLimited>> annotations(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(RateLimited.class).toList();
	}

	static boolean isWrittenOn(AnnotatedElement element) {
		return element.getDeclaredAnnotations().length > 0
				&& MergedAnnotations.from(element).isPresent(RateLimited.class);
	}

	static List<MergedAnnotation<RateLimited>> writtenOn(Method method) {
		return MergedAnnotations.from(method).stream(RateLimited.class).toList();
	}

	/**
	 * Return the annotations that no annotation of a subtype, or of a class instead of an
	 * interface, replaces. Methods and types that do not extend each other may both limit
	 * a method.
	 */
	private static List<MergedAnnotation<RateLimited>> nearest(List<MergedAnnotation<RateLimited>> all) {
		List<MergedAnnotation<RateLimited>> nearest = new ArrayList<>();
		for (MergedAnnotation<RateLimited> each : all) {
			if (!isReplaced(each, all)) {
				nearest.add(each);
			}
		}
		return List.copyOf(nearest);
	}

	private static boolean isReplaced(MergedAnnotation<RateLimited> annotation,
			List<MergedAnnotation<RateLimited>> all) {
		for (MergedAnnotation<RateLimited> other : all) {
			if (replaces(other, annotation)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether an annotation replaces another one, or is the same one found
	 * earlier. The compiler copies those of a method to its bridges.
	 */
	private static boolean replaces(MergedAnnotation<RateLimited> one, MergedAnnotation<RateLimited> other) {
		Class<?> type = typeOf(one);
		Class<?> otherType = typeOf(other);
		if (type == otherType) {
			return (isOfBridge(one) != isOfBridge(other)) ? isOfBridge(other)
					: one.getAggregateIndex() < other.getAggregateIndex();
		}
		boolean ofClass = one.getSource() == type && !type.isInterface() && otherType.isInterface();
		return ofClass || otherType.isAssignableFrom(type);
	}

	private static boolean isOfBridge(MergedAnnotation<RateLimited> annotation) {
		return annotation.getSource() instanceof Method method && method.isBridge();
	}

	private static Class<?> typeOf(MergedAnnotation<RateLimited> annotation) {
		Object source = Objects.requireNonNull(annotation.getSource());
		return (source instanceof Method method) ? method.getDeclaringClass() : (Class<?>) source;
	}

	/**
	 * Return the method or the type that an annotation is written on. A method that a
	 * public class inherits from one that is not public has a bridge as well, which
	 * counts as written in the public class.
	 */
	static Object annotatedElement(MergedAnnotation<RateLimited> annotation) {
		Object source = Objects.requireNonNull(annotation.getSource());
		if (source instanceof Method method) {
			Method bridged = BridgeMethodResolver.findBridgedMethod(method);
			return (bridged.getDeclaringClass() == method.getDeclaringClass()) ? bridged : method;
		}
		return source;
	}

	static Method annotatedMethod(MergedAnnotation<RateLimited> annotation, Method method, Class<?> targetClass) {
		Object element = annotatedElement(annotation);
		if (element instanceof Class<?> type && type.isInterface()) {
			Method declaration = declaration(type, method, targetClass);
			return (declaration != null) ? declaration : method;
		}
		return (element instanceof Method declared) ? declared : method;
	}

	/**
	 * Return whether a class-level annotation applies to a method. An annotated interface
	 * limits the methods that it declares, not all methods of an implementing class.
	 */
	private static boolean declares(Class<?> annotated, Method method, Class<?> targetClass) {
		return !annotated.isInterface() || declaration(annotated, method, targetClass) != null;
	}

	private static @Nullable Method declaration(Class<?> annotated, Method method, Class<?> targetClass) {
		return Supertypes.declaration(annotated, AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
	}

}
