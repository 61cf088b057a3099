package io.github.ratelimit.interceptor;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;

/**
 * Path that a handler method is mapped to. The annotation is recognized by name, since an
 * application without a web server lacks it.
 */
final class HandlerPath {

	private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

	private HandlerPath() {
	}

	/**
	 * Return the variables in the path of a method.
	 * @return their names, or {@code null} if they are unknown: the method is no handler,
	 * or its path contains placeholders
	 */
	static @Nullable Set<String> variables(Method method, Class<?> targetClass, ExpressionBeans beans) {
		List<String> ofMethod = paths(method);
		if (ofMethod == null) {
			return null;
		}
		List<String> ofClass = paths(targetClass);
		List<String> all = Stream.concat(ofMethod.stream(), (ofClass != null) ? ofClass.stream() : Stream.empty())
			.toList();
		if (all.stream().anyMatch((path) -> path.contains("${") || path.contains("#{"))) {
			return null;
		}
		Set<String> names = new HashSet<>(beans.prefixVariables(targetClass));
		all.forEach((path) -> names.addAll(VariableNames.of(path)));
		return names;
	}

	private static @Nullable List<String> paths(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element,
				MergedAnnotations.SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(MAPPING) ? Arrays.asList(annotations.get(MAPPING).getStringArray("path")) : null;
	}

}
