package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Methods of a controller that Spring calls on behalf of its handler methods. A
 * class-level annotation does not apply to them. They are recognized by the names of
 * their annotations, since Spring MVC and WebFlux are optional.
 */
final class HandlerSupport {

	private static final String PACKAGE = "org.springframework.web.bind.annotation.";

	private static final String HANDLER = PACKAGE + "RequestMapping";

	private static final List<String> ANNOTATIONS = List.of("ExceptionHandler", "InitBinder", "ModelAttribute");

	private HandlerSupport() {
	}

	/**
	 * Return whether a method is a handler method.
	 */
	static boolean isHandler(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(HANDLER);
	}

	/**
	 * Return the annotation that makes a method one of them. A handler method is none,
	 * although it may have {@code @ModelAttribute} for its result.
	 */
	static Optional<String> of(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(HANDLER) ? Optional.empty()
				: ANNOTATIONS.stream().filter((name) -> annotations.isPresent(PACKAGE + name)).findFirst();
	}

}
