package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Methods of a controller that Spring calls on behalf of its handler methods, so that an
 * annotation of the class does not mean them. They are recognized by the names of their
 * annotations, since there may be no Spring MVC or WebFlux.
 */
final class HandlerSupport {

	private static final String PACKAGE = "org.springframework.web.bind.annotation.";

	private static final List<String> ANNOTATIONS = List.of("ExceptionHandler", "InitBinder", "ModelAttribute");

	private HandlerSupport() {
	}

	/**
	 * The annotation that makes a method one of them, if it is one. A handler method may
	 * have {@code @ModelAttribute} as well, for what it returns.
	 */
	static Optional<String> of(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(PACKAGE + "RequestMapping") ? Optional.empty()
				: ANNOTATIONS.stream().filter((name) -> annotations.isPresent(PACKAGE + name)).findFirst();
	}

}
