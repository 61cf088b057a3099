package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Methods that Spring calls for its own purposes, not on behalf of a caller. A
 * class-level annotation does not apply to them. Most annotations are recognized by their
 * names, since their libraries are optional.
 */
final class SpringCallbacks {

	private static final String WEB = "org.springframework.web.bind.annotation.";

	private static final String HANDLER = WEB + "RequestMapping";

	private static final List<String> OF_HANDLERS = List.of("ExceptionHandler", "InitBinder", "ModelAttribute");

	private static final List<String> OF_LIFE_CYCLE = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private SpringCallbacks() {
	}

	/**
	 * Return whether Spring calls a method to create a bean.
	 */
	static boolean createsBean(Method method) {
		return annotations(method).isPresent(Bean.class);
	}

	/**
	 * Return the annotation by which Spring calls a method on behalf of the handler
	 * methods of its controller. A handler method is none of these, although it may have
	 * {@code @ModelAttribute} for its result.
	 */
	static Optional<String> ofHandlers(Method method) {
		MergedAnnotations annotations = annotations(method);
		return annotations.isPresent(HANDLER) ? Optional.empty()
				: OF_HANDLERS.stream().filter((name) -> annotations.isPresent(WEB + name)).findFirst();
	}

	/**
	 * Return why Spring calls a method on the bean itself, before or without its proxy:
	 * "an &#64;PostConstruct method" for example.
	 * @param method the method of the target's class
	 */
	static Optional<String> ofBeanItself(Method method, Class<?> targetClass) {
		MergedAnnotations annotations = annotations(method);
		return Stream
			.concat(OF_LIFE_CYCLE.stream()
				.filter(annotations::isPresent)
				.map((name) -> "an @" + ClassUtils.getShortName(name) + " method"),
					declaring(SpringCallbacks::isCalledOnBeanItself, method, targetClass)
						.map((type) -> "a method of " + type.getSimpleName()))
			.findFirst();
	}

	private static boolean isCalledOnBeanItself(Class<?> type) {
		return type == InitializingBean.class || type == DisposableBean.class
				|| Aware.class.isAssignableFrom(type) && isCalledBySpring(type);
	}

	/**
	 * Return whether Spring calls a method: by an annotation for handler methods or of
	 * the life cycle, or as a method of {@code AutoCloseable} or an interface of its own.
	 * @param method the method of the target's class
	 */
	static boolean includes(Method method, Class<?> targetClass) {
		MergedAnnotations annotations = annotations(method);
		return ofHandlers(method).isPresent() || OF_LIFE_CYCLE.stream().anyMatch(annotations::isPresent)
				|| declaring(SpringCallbacks::isCalledBySpring, method, targetClass).findAny().isPresent();
	}

	/**
	 * Return whether Spring calls the methods of an interface. Those of Spring Data's
	 * repositories are called by the application.
	 */
	private static boolean isCalledBySpring(Class<?> type) {
		String name = type.getName();
		return type == AutoCloseable.class
				|| name.startsWith("org.springframework.") && !name.startsWith("org.springframework.data.");
	}

	/**
	 * Return the interfaces that declare a method, also those that the application's own
	 * interfaces extend.
	 */
	private static Stream<Class<?>> declaring(Predicate<Class<?>> types, Method method, Class<?> targetClass) {
		return Supertypes.withSelf(targetClass)
			.filter((type) -> type.isInterface() && types.test(type))
			.filter((type) -> Stream.of(type.getMethods())
				.anyMatch((declared) -> declared.getName().equals(method.getName())
						&& AopUtils.getMostSpecificMethod(declared, targetClass).equals(method)));
	}

	private static MergedAnnotations annotations(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
	}

}
