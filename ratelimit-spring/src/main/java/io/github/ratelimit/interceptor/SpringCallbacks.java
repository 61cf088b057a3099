package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

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

	private static final List<String> OF_HANDLERS = List.of(WEB + "ExceptionHandler", WEB + "InitBinder",
			WEB + "ModelAttribute", "org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler",
			"org.springframework.grpc.server.advice.GrpcExceptionHandler",
			"org.springframework.messaging.handler.annotation.MessageExceptionHandler");

	private static final List<String> OF_LIFE_CYCLE = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	/**
	 * Packages with interfaces whose methods applications call: repositories, and
	 * applications that are samples of Spring.
	 */
	private static final List<String> OF_APPLICATIONS = List.of("org.springframework.data.",
			"org.springframework.samples.");

	private SpringCallbacks() {
	}

	static boolean createsBean(Method method) {
		return annotations(method).isPresent(Bean.class);
	}

	/**
	 * Return the annotation by which Spring calls a method on behalf of the handler
	 * methods of its controller. A handler method is none of these, although it may have
	 * {@code @ModelAttribute} for its result.
	 */
	static @Nullable String ofHandlers(Method method) {
		MergedAnnotations annotations = annotations(method);
		return annotations.isPresent(HANDLER) ? null : present(annotations, OF_HANDLERS);
	}

	private static @Nullable String present(MergedAnnotations annotations, List<String> names) {
		for (String name : names) {
			if (annotations.isPresent(name)) {
				return ClassUtils.getShortName(name);
			}
		}
		return null;
	}

	/**
	 * Return why Spring calls a method on the bean itself, before or without its proxy:
	 * "an &#64;PostConstruct method" for example.
	 */
	static @Nullable String ofBeanItself(Method method, Class<?> targetClass) {
		String ofLifeCycle = present(annotations(method), OF_LIFE_CYCLE);
		if (ofLifeCycle != null) {
			return "an @" + ofLifeCycle + " method";
		}
		for (Class<?> type : Supertypes.withSelf(targetClass)) {
			if (isCalledOnBeanItself(type) && declares(type, method, targetClass)) {
				return "a method of " + type.getSimpleName();
			}
		}
		return null;
	}

	private static boolean isCalledOnBeanItself(Class<?> type) {
		return type == InitializingBean.class || type == DisposableBean.class
				|| Aware.class.isAssignableFrom(type) && isCalledBySpring(type);
	}

	/**
	 * Return whether Spring calls a method: by an annotation for handler methods or of
	 * the life cycle, or as a method of {@code AutoCloseable} or an interface of its own.
	 */
	static boolean includes(Method method, Class<?> targetClass) {
		if (ofHandlers(method) != null || present(annotations(method), OF_LIFE_CYCLE) != null) {
			return true;
		}
		for (Class<?> type : Supertypes.withSelf(targetClass)) {
			if (isCalledBySpring(type) && declares(type, method, targetClass)) {
				return true;
			}
		}
		return false;
	}

	/** Return whether Spring calls the methods of an interface. */
	private static boolean isCalledBySpring(Class<?> type) {
		String name = type.getName();
		return type == AutoCloseable.class
				|| name.startsWith("org.springframework.") && OF_APPLICATIONS.stream().noneMatch(name::startsWith);
	}

	private static boolean declares(Class<?> type, Method method, Class<?> targetClass) {
		return type.isInterface() && Supertypes.declaration(type, method, targetClass) != null;
	}

	private static MergedAnnotations annotations(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
	}

}
